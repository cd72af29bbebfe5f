//! How elements are stored in files, and what they are made into.

use crate::dtype::{DType, Kind};

/// The type that elements become, and how they stand in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stored {
    pub dtype: DType,
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// As in memory.
    Plain,
    /// In the other order of bytes.
    Swapped,
}

/// What `ml_dtypes` writes for types that NumPy has no code for.
const FOREIGN: [(&str, DType); 3] =
    [("V2", DType::BF16), ("V1", DType::F8E4M3), ("f1", DType::F8E5M2)];

impl Stored {
    pub fn plain(dtype: DType) -> Stored {
        Stored { dtype, how: How::Plain }
    }

    /// What NumPy's code means: `<f8`, `>i4`, `|b1`; of types that NumPy has not, those of `ml_dtypes`.
    pub fn from_code(code: &str) -> Option<Stored> {
        let (order, rest) = match code.chars().next()? {
            order @ ('<' | '>' | '|' | '=') => (order, &code[1..]),
            _ => ('=', code),
        };
        let native = if cfg!(target_endian = "little") { '<' } else { '>' };
        let dtype = match FOREIGN.iter().find(|(code, _)| *code == rest) {
            Some((_, dtype)) => *dtype,
            None => DType::from_name(rest).filter(|_| rest.len() <= 3)?,
        };
        let is_swapped = !matches!(order, '|' | '=') && order != native && dtype.size() > 1;
        let how = if is_swapped { How::Swapped } else { How::Plain };
        Some(Stored { dtype, how })
    }

    /// What [`Stored::from_code`] makes of it again.
    pub fn code(&self) -> String {
        match self.how {
            How::Plain => match FOREIGN.iter().find(|(_, dtype)| *dtype == self.dtype) {
                Some((code, _)) => format!("<{code}"),
                None => self.dtype.code(),
            },
            How::Swapped => match self.dtype.code().strip_prefix('<') {
                Some(rest) => format!(">{rest}"),
                None => self.dtype.code().replace('>', "<"),
            },
        }
    }

    /// Bytes of an element in the file.
    pub fn size(&self) -> usize {
        self.dtype.size()
    }

    /// Whether the bytes of the file are those of memory, as they are.
    pub fn is_plain(&self) -> bool {
        self.how == How::Plain && self.dtype.kind() != Kind::Bool
    }

    /// Makes elements of the bytes of a file, where they stand.
    pub fn decode(&self, bytes: &mut [u8]) {
        match self.how {
            How::Plain if self.dtype.kind() == Kind::Bool => {
                bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
            }
            How::Plain => {}
            How::Swapped => {
                bytes.chunks_exact_mut(self.dtype.part().size()).for_each(<[u8]>::reverse);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_with_their_order() {
        let is =
            |code, dtype, how| assert_eq!(Stored::from_code(code), Some(Stored { dtype, how }));
        is("<f8", DType::F64, How::Plain);
        is(">c8", DType::C64, How::Swapped);
        is("|b1", DType::Bool, How::Plain);
        is(">i1", DType::I8, How::Plain);
        for (code, dtype) in FOREIGN {
            let code = format!("<{code}");
            assert_eq!(Stored::from_code(&code), Some(Stored::plain(dtype)));
            assert_eq!(Stored::plain(dtype).code(), code);
        }
        for code in ["", "<", "O", "|O", "<U5", "|S3", "<M8[ns]", "float64", "<f16", "é"] {
            assert_eq!(Stored::from_code(code), None, "{code}");
        }
    }
}
