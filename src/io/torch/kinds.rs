//! Types of elements as PyTorch names them, and the storages that hold them.

use crate::dtype::DType;
use crate::io::Stored;

/// A type of elements.
#[derive(Debug, PartialEq)]
pub struct Kind {
    /// Behind `torch.`.
    pub name: &'static str,
    /// The class of storages of it; empty for those that came after such classes.
    storage: &'static str,
    /// None where no tensor here can have it.
    pub stored: Option<Stored>,
    /// Bytes of an element.
    pub size: u64,
}

const fn known(name: &'static str, storage: &'static str, dtype: DType, size: u64) -> Kind {
    let stored = Some(Stored { dtype, how: crate::io::How::Plain });
    Kind { name, storage, stored, size }
}

const fn other(name: &'static str, storage: &'static str, size: u64) -> Kind {
    Kind { name, storage, stored: None, size }
}

const KINDS: &[Kind] = &[
    known("float32", "FloatStorage", DType::F32, 4),
    known("float64", "DoubleStorage", DType::F64, 8),
    known("float16", "HalfStorage", DType::F16, 2),
    known("bfloat16", "BFloat16Storage", DType::BF16, 2),
    known("int64", "LongStorage", DType::I64, 8),
    known("int32", "IntStorage", DType::I32, 4),
    known("int16", "ShortStorage", DType::I16, 2),
    known("int8", "CharStorage", DType::I8, 1),
    known("uint8", "ByteStorage", DType::U8, 1),
    known("bool", "BoolStorage", DType::Bool, 1),
    known("complex64", "ComplexFloatStorage", DType::C64, 8),
    known("complex128", "ComplexDoubleStorage", DType::C128, 16),
    known("uint16", "", DType::U16, 2),
    known("uint32", "", DType::U32, 4),
    known("uint64", "", DType::U64, 8),
    other("complex32", "", 4),
    known("float8_e4m3fn", "", DType::F8E4M3, 1),
    known("float8_e5m2", "", DType::F8E5M2, 1),
    other("float8_e4m3fnuz", "", 1),
    other("float8_e5m2fnuz", "", 1),
    other("float8_e8m0fnu", "", 1),
    other("float4_e2m1fn_x2", "", 1),
    other("qint8", "QInt8Storage", 1),
    other("quint8", "QUInt8Storage", 1),
    other("qint32", "QInt32Storage", 4),
    other("quint4x2", "QUInt4x2Storage", 1),
    other("quint2x4", "QUInt2x4Storage", 1),
];

/// The type that a program calls so: `torch.float32`.
pub(super) fn of_name(name: &str) -> Option<&'static Kind> {
    let name = name.strip_prefix("torch.")?;
    KINDS.iter().find(|kind| kind.name == name)
}

/// The type of a class of storages, and none for one of bare bytes; `None` where it is no such class.
pub(super) fn of_storage(name: &str) -> Option<Option<&'static Kind>> {
    if name == "torch.storage.UntypedStorage" || name == "torch.UntypedStorage" {
        return Some(None);
    }
    let name = name.strip_prefix("torch.cuda.").or(name.strip_prefix("torch."))?;
    KINDS.iter().find(|kind| !kind.storage.is_empty() && kind.storage == name).map(Some)
}

/// What PyTorch calls a type, and the class of its storages; that is empty where it has none.
pub fn kind_of(dtype: DType) -> Option<(&'static str, &'static str)> {
    let stored = Some(Stored::plain(dtype));
    KINDS.iter().find(|kind| kind.stored == stored).map(|kind| (kind.name, kind.storage))
}
