//! Draws from a stream that the caller names: what generators are made of, and PyTorch's `generator=`.

use super::forms::{Outcome, on_device};
use super::{Builtin, Call, Homes};

use crate::interp::value::Value;
use crate::tensor::RandomKind;

/// Runs what draws from the session's stream so that it draws from the one of `generator=`, if there is one.
pub fn drawing(call: &mut Call<'_>, draw: impl FnOnce(&mut Call<'_>) -> Outcome) -> Outcome {
    if call.is_none("generator") {
        return draw(call);
    }
    let (evaluator, engine) = (call.evaluator, call.engine());
    let generator = call.value("generator").clone();
    let (Some(place), Some(go_on)) =
        (evaluator.peek(&generator, "_place"), evaluator.peek(&generator, "_go_on"))
    else {
        return Err(call.wrong_type("generator", "a torch.Generator"));
    };
    let place = evaluator.call_value(&place, [], [])?;
    let position = match &place {
        Value::Tuple(parts) => match &parts[..] {
            [Value::Int(key), Value::Int(block)] => (*key as u64, *block as u64),
            _ => return Err(call.wrong_type("generator", "a torch.Generator")),
        },
        _ => return Err(call.wrong_type("generator", "a torch.Generator")),
    };
    let before = engine.random_position();
    engine.set_random_position(position);
    let drawn = draw(call);
    let (_, block) = engine.random_position();
    engine.set_random_position(before);
    let drawn = drawn?;
    evaluator.call_value(&go_on, [Value::Int(block as i64)], [])?;
    Ok(drawn)
}

/// What draws are made of in the modules that are written in the language.
pub const DRAWS: [Builtin; 3] = [
    Builtin::new(
        "philox(kind, key, block, shape, dtype=None, low=0, high=0, device=None, /)",
        |call| {
            let (key, block) = (call.int("key")? as u64, call.int("block")? as u64);
            let shape = super::create::asked_shape(call, "shape")?;
            let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
            let kind = match call.str("kind")? {
                "uniform" => RandomKind::Uniform,
                "normal" => RandomKind::Normal,
                "bits" => RandomKind::Integer { low: 0, high: 0 },
                _ => RandomKind::Integer { low: call.int("low")?, high: call.int("high")? },
            };
            let made = on_device(call, |engine| {
                Ok(engine.random_at(kind, (key, block), &shape, dtype)?.0)
            });
            Ok(made?.into())
        },
    )
    .homes(Homes::NONE)
    .doc("Random numbers from a block of the stream of a key: floats, integers over [low, high), or all bits."),
    Builtin::new("session_stream(blocks, /)", |call| {
        let (seed, block) = call.engine().random_position();
        let next = block.wrapping_add(call.int("blocks")? as u64);
        call.engine().set_random_position((seed, next));
        Ok(Value::tuple([Value::Int(seed as i64), Value::Int(block as i64)]))
    })
    .homes(Homes::NONE)
    .doc("The key and the next block of the session's stream, from which it takes so many."),
    Builtin::new("set_session_stream(key, block, /)", |call| {
        call.engine().set_random_position((call.int("key")? as u64, call.int("block")? as u64));
        Ok(Value::None)
    })
    .homes(Homes::NONE)
    .doc("Puts the session's stream where another one stands."),
];
