//! Figures on their way out: what `matplotlib.pyplot` gathers, which is written in the language, becomes a
//! [`Figure`](crate::report::figure::Figure) and goes to the front end or into a file.

mod limits;
mod reader;
mod reduce;

use super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::value::Value;
use crate::report::Report;
use crate::report::figure::{Map, Rgba, named};
use reader::Reader;

/// Bytes that a pixel takes while a picture is drawn and packed, over what room is made for.
const PIXEL: f64 = 9.0;

/// Functions without a name in the language.
pub const HIDDEN: &[Builtin] = &[
    Builtin::hidden(
        "figure_show(figure, /)",
        |call| {
            let figure = Reader::new(call).figure(call.value(0))?;
            call.evaluator.world.show(&Report::Figure(Box::new(figure)));
            Ok(Value::None)
        },
        "Shows a figure.",
    ),
    Builtin::hidden(
        "figure_save(path, figure, kind, zoom, /)",
        save,
        "Writes a figure, as `svg` or `png`.",
    ),
    Builtin::hidden(
        "figure_text(figure, kind, /)",
        |call| {
            let figure = Reader::new(call).figure(call.value(0))?;
            Ok(Value::str(match call.str(1)? {
                "svg" => figure.to_svg(),
                _ => figure.to_markup(80).to_plain(),
            }))
        },
        "A figure as text: an SVG, or characters.",
    ),
    Builtin::hidden(
        "figure_view(axes, /)",
        |call| Reader::new(call).view(call.value(0)),
        "The ends of both axes, and what stands along each.",
    ),
    Builtin::hidden(
        "figure_color(name, /)",
        |call| {
            let tuple =
                |color: Rgba| Value::tuple(color.map(|part| Value::Int(part.into())).to_vec());
            Ok(named(call.str(0)?).map_or(Value::None, tuple))
        },
        "Red, green, blue and how much there is of a colour with a name.",
    ),
    Builtin::hidden(
        "figure_map(name, place=None, /)",
        |call| {
            let Some(map) = Map::of(call.str(0)?) else { return Ok(Value::None) };
            let place = call.optional_float(1)?.unwrap_or(0.0);
            Ok(Value::tuple(map.color(place).map(|part| Value::Int(part.into())).to_vec()))
        },
        "A colour of a ramp; None where no ramp has that name.",
    ),
    Builtin::hidden(
        "figure_maps()",
        |_| Ok(Value::tuple(Map::names().map(Value::str).collect::<Vec<_>>())),
        "The names of the ramps of colours.",
    ),
];

fn save(call: &mut Call<'_>) -> Result<Value, Fault> {
    use std::io::Write;
    let figure = Reader::new(call).figure(call.value(1))?;
    let bytes = match call.str(2)? {
        "svg" => figure.to_svg().into_bytes(),
        _ => {
            let zoom = call.float(3)?;
            let pixels = figure.width * figure.height * zoom * zoom;
            crate::interp::room::text(call.engine(), (pixels * PIXEL) as usize)?;
            figure.to_png(zoom)
        }
    };
    let (mut draft, path) = super::disk::draft(call)?;
    let written = draft.write_all(&bytes).and_then(|()| draft.commit());
    written.map_err(|error| super::disk::fault(error, &path))?;
    Ok(Value::None)
}
