//! Pictures: `.png`, `.jpg`.

use super::{draft, fault, source};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::builtins::Call;
use crate::interp::room;
use crate::interp::value::Value;
use crate::io;
use crate::io::picture::{self, Frame, Picture};
use crate::layout::{Layout, Shape};

/// What goes wrong on the way from a file to a tensor.
enum Wrong {
    File(io::Error),
    Fault(Fault),
}

impl Wrong {
    fn or(self, path: &str) -> Fault {
        match self {
            Wrong::File(error) => fault(error, path),
            Wrong::Fault(fault) => fault,
        }
    }
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Wrong {
        Wrong::File(error)
    }
}

impl From<crate::tensor::Error> for Wrong {
    fn from(error: crate::tensor::Error) -> Wrong {
        Wrong::Fault(error.into())
    }
}

pub fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, path) = source(call)?;
    room::text(call.engine(), source.length() as usize)?;
    let picture = Picture::open(&source).map_err(|error| fault(error, &path))?;
    let frame = picture.frame;
    room::text(call.engine(), frame.row().saturating_mul(frame.height))?;
    let shape = match frame.channels {
        1 => Shape::from([frame.height, frame.width]),
        channels => Shape::from([frame.height, frame.width, channels]),
    };
    let dtype = if frame.depth == 2 { DType::U16 } else { DType::U8 };
    let made = call.engine().filled_in_turn(Layout::contiguous(shape), dtype, "load", |put| {
        picture.rows::<Wrong>(|row| Ok(put(row).map_err(crate::tensor::Error::from)?))
    });
    Ok(made.map_err(|wrong| wrong.or(&path))?.into())
}

/// The size of a picture that an array is.
fn frame_of(shape: &Shape, dtype: DType) -> Result<Frame, Fault> {
    let (height, width, channels) = match shape[..] {
        [height, width] => (height, width, 1),
        [height, width, channels @ 1..=4] => (height, width, channels),
        _ => {
            let words = format!(
                "a picture is (height, width), or (height, width, channels) of up to 4 channels, not {shape}"
            );
            return Err(Fault::value_error(words));
        }
    };
    let depth = match dtype {
        DType::U8 => 1,
        DType::U16 => 2,
        _ => {
            let hint = "of numbers from 0 to 1: `(x * 255).round().astype(uint8)`";
            let words = format!("a picture is of uint8 or uint16, not of {dtype}");
            return Err(Fault::type_error(words).with_hint(hint));
        }
    };
    Ok(Frame { width, height, channels, depth })
}

pub fn save(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (engine, x) = (call.engine(), call.tensor(1)?);
    let frame = frame_of(x.shape(), x.dtype()).map_err(|fault| call.fault_at(1, fault))?;
    let (mut draft, path) = draft(call)?;
    let written = picture::write::<Wrong>(&mut draft, frame, |put| {
        engine.pieces::<Wrong>(&x, |bytes| Ok(put(bytes)?))
    });
    written.map_err(|wrong| wrong.or(&path))?;
    draft.commit().map_err(|error| fault(error, &path))?;
    Ok(Value::None)
}
