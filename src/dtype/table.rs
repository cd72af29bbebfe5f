//! The table of element types.

use std::fmt;

use super::promote::promote;

/// The families of types, in the order in which a mixture of them climbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
    Complex,
}

impl Kind {
    /// NumPy's letter.
    pub const fn letter(self) -> &'static str {
        match self {
            Kind::Bool => "b",
            Kind::Unsigned => "u",
            Kind::Signed => "i",
            Kind::Float => "f",
            Kind::Complex => "c",
        }
    }
}

/// What is to be known of a type of elements.
#[derive(Debug)]
pub struct Row {
    /// NumPy's name; PyTorch's of what NumPy has not.
    pub name: &'static str,
    /// What else a namespace calls it.
    pub aliases: &'static [&'static str],
    /// NumPy's code of one letter, and its kind with its size. A type that NumPy has not has none.
    codes: &'static [&'static str],
    /// Bytes of one element.
    pub size: usize,
    pub kind: Kind,
    /// The type that a value of it is held in while it is computed with.
    pub compute: DType,
    /// Of a complex type, that of its two parts.
    part: Option<DType>,
    range: Option<(i128, i128)>,
    format: Option<Format>,
}

/// A binary floating format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Format {
    /// Bits of the fraction.
    pub fraction: i32,
    /// Bits of the exponent.
    pub exponent: i32,
    pub max: f64,
    pub has_infinity: bool,
    /// The least magnitude that an array prints with an exponent.
    pub array_cutoff: f64,
    /// The same for a scalar by itself.
    pub scalar_cutoff: f64,
}

impl Format {
    /// The exponent of the least normal number.
    pub fn least(&self) -> i32 {
        2 - (1 << (self.exponent - 1))
    }

    /// Infinity, or the largest number of a format that has none.
    pub fn end(&self) -> f64 {
        if self.has_infinity { f64::INFINITY } else { self.max }
    }

    /// Decimal digits that every number keeps.
    pub fn precision(&self) -> i32 {
        (f64::from(self.fraction) * std::f64::consts::LOG10_2) as i32
    }
}

type Names = &'static [&'static str];

const fn integer(
    compute: DType,
    name: &'static str,
    size: usize,
    aliases: Names,
    codes: Names,
) -> Row {
    Row {
        name,
        aliases,
        codes,
        size,
        kind: Kind::Signed,
        compute,
        part: None,
        range: Some((-1 << (8 * size - 1), (1 << (8 * size - 1)) - 1)),
        format: None,
    }
}

const fn unsigned(
    compute: DType,
    name: &'static str,
    size: usize,
    aliases: Names,
    codes: Names,
) -> Row {
    let range = Some((0, (1 << (8 * size)) - 1));
    Row { kind: Kind::Unsigned, range, ..integer(compute, name, size, aliases, codes) }
}

const fn float(
    compute: DType,
    name: &'static str,
    size: usize,
    aliases: Names,
    codes: Names,
    format: Format,
) -> Row {
    let row = integer(compute, name, size, aliases, codes);
    Row { kind: Kind::Float, range: None, format: Some(format), ..row }
}

const fn complex(
    compute: DType,
    part: DType,
    name: &'static str,
    size: usize,
    aliases: Names,
    codes: Names,
) -> Row {
    let (kind, part) = (Kind::Complex, Some(part));
    Row { name, aliases, codes, size, kind, compute, part, range: None, format: None }
}

/// Makes the enum of the rows, which `row` finds.
macro_rules! dtypes {
    ($($name:ident = $row:expr,)*) => {
        /// The type of a tensor's elements.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DType {
            $($name,)*
        }

        impl DType {
            pub const ALL: [DType; [$(DType::$name),*].len()] = [$(DType::$name),*];

            #[inline]
            pub const fn row(self) -> &'static Row {
                const ROWS: &[Row] = &[$($row),*];
                &ROWS[self as usize]
            }
        }
    };
}

dtypes! {
    Bool = Row {
        kind: Kind::Bool,
        range: Some((0, 1)),
        ..integer(DType::Bool, "bool", 1, &["bool_"], &["?", "b1"])
    },
    U8 = unsigned(DType::U8, "uint8", 1, &["ubyte"], &["B", "u1"]),
    U16 = unsigned(DType::U16, "uint16", 2, &["ushort"], &["H", "u2"]),
    U32 = unsigned(DType::U32, "uint32", 4, &["uintc"], &["I", "u4"]),
    U64 = unsigned(
        DType::U64, "uint64", 8, &["uint", "uintp", "ulong", "ulonglong"],
        &["L", "Q", "P", "N", "u8"],
    ),
    I8 = integer(DType::I8, "int8", 1, &["byte"], &["b", "i1"]),
    I16 = integer(DType::I16, "int16", 2, &["short"], &["h", "i2"]),
    I32 = integer(DType::I32, "int32", 4, &["intc"], &["i", "i4"]),
    I64 = integer(
        DType::I64, "int64", 8, &["int_", "intp", "long", "longlong"], &["l", "q", "p", "n", "i8"],
    ),
    F8E4M3 = float(DType::F32, "float8_e4m3fn", 1, &[], &[], Format {
        fraction: 3,
        exponent: 4,
        max: 448.0,
        has_infinity: false,
        array_cutoff: 1e3,
        scalar_cutoff: 1e3,
    }),
    F8E5M2 = float(DType::F32, "float8_e5m2", 1, &[], &[], Format {
        fraction: 2,
        exponent: 5,
        max: 57344.0,
        has_infinity: true,
        array_cutoff: 1e3,
        scalar_cutoff: 1e3,
    }),
    F16 = float(DType::F32, "float16", 2, &["half"], &["e", "f2"], Format {
        fraction: 10,
        exponent: 5,
        max: 65504.0,
        has_infinity: true,
        array_cutoff: 1e3,
        scalar_cutoff: 1e3,
    }),
    BF16 = float(DType::F32, "bfloat16", 2, &[], &["bf16"], Format {
        fraction: 7,
        exponent: 8,
        // All ones but the exponent's last bit.
        max: f32::from_bits(0x7f7f_0000) as f64,
        has_infinity: true,
        array_cutoff: 1e6,
        scalar_cutoff: 1e6,
    }),
    F32 = float(DType::F32, "float32", 4, &["single"], &["f", "f4"], Format {
        fraction: 23,
        exponent: 8,
        max: f32::MAX as f64,
        has_infinity: true,
        array_cutoff: 1e6,
        scalar_cutoff: 1e6,
    }),
    F64 = float(DType::F64, "float64", 8, &["double", "float_"], &["d", "f8"], Format {
        fraction: 52,
        exponent: 11,
        max: f64::MAX,
        has_infinity: true,
        array_cutoff: 1e8,
        scalar_cutoff: 1e16,
    }),
    C64 = complex(DType::C64, DType::F32, "complex64", 8, &["csingle"], &["F", "c8"]),
    C128 = complex(DType::C128, DType::F64, "complex128", 16, &["cdouble"], &["D", "c16"]),
}

impl DType {
    /// The types of what storages hold and programs compute: those of real numbers.
    pub const STORED: [DType; DType::ALL.len() - 2] = {
        let (mut stored, mut at) = ([DType::Bool; DType::ALL.len() - 2], 0);
        while at < stored.len() {
            stored[at] = DType::ALL[at];
            at += 1;
        }
        stored
    };

    /// Bytes of one element.
    #[inline]
    pub const fn size(self) -> usize {
        // Asked for with every element that is read by itself.
        const SIZES: [u8; DType::ALL.len()] = {
            let (mut sizes, mut at) = ([0; DType::ALL.len()], 0);
            while at < sizes.len() {
                sizes[at] = DType::ALL[at].row().size as u8;
                at += 1;
            }
            sizes
        };
        SIZES[self as usize] as usize
    }

    pub const fn name(self) -> &'static str {
        self.row().name
    }

    #[inline]
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// The type that a value of it is held in while it is computed with.
    #[inline]
    pub const fn compute(self) -> DType {
        self.row().compute
    }

    /// The type that a name means: NumPy's and PyTorch's names (`float` is float64 to NumPy and is
    /// left to the caller), and NumPy's codes (`f4`, `<i8`, `?`) in this machine's order of bytes.
    pub fn from_name(name: &str) -> Option<DType> {
        let native = if cfg!(target_endian = "little") { '<' } else { '>' };
        let code = name.strip_prefix(['=', '|', native]);
        let is_code = |row: &Row| row.codes.contains(&code.unwrap_or(name));
        let is_name = |row: &Row| row.name == name || row.aliases.contains(&name);
        DType::ALL.into_iter().find(|dtype| {
            let row = dtype.row();
            is_code(row) || code.is_none() && is_name(row)
        })
    }

    /// NumPy's code of one letter; the name of what has none.
    pub fn letter(self) -> &'static str {
        self.row().codes.iter().copied().find(|code| code.len() == 1).unwrap_or(self.name())
    }

    /// NumPy's number of it; none for what NumPy does not have.
    pub fn number(self) -> Option<i64> {
        Some(match self {
            DType::Bool => 0,
            DType::I8 => 1,
            DType::U8 => 2,
            DType::I16 => 3,
            DType::U16 => 4,
            DType::I32 => 5,
            DType::U32 => 6,
            DType::I64 => 7,
            DType::U64 => 8,
            DType::F32 => 11,
            DType::F64 => 12,
            DType::C64 => 14,
            DType::C128 => 15,
            DType::F16 => 23,
            DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => return None,
        })
    }

    /// NumPy's code with the order of bytes: `<f4`, `|b1`.
    pub fn code(self) -> String {
        let order = match self.size() {
            1 => '|',
            _ if cfg!(target_endian = "little") => '<',
            _ => '>',
        };
        format!("{order}{}{}", self.kind().letter(), self.size())
    }

    pub const fn is_float(self) -> bool {
        self.row().format.is_some()
    }

    #[inline]
    pub const fn is_complex(self) -> bool {
        matches!(self.kind(), Kind::Complex)
    }

    /// Whether its numbers are rounded: floating or complex.
    pub const fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// The type of the real and of the imaginary part of a complex type; of another the type itself.
    #[inline]
    pub const fn part(self) -> DType {
        match self.row().part {
            Some(part) => part,
            None => self,
        }
    }

    /// The type in which its numbers are sorted, scanned, multiplied as matrices and drawn at random: float32
    /// for those of eight bits, which only programs compute with; of another the type itself.
    #[inline]
    pub const fn carrier(self) -> DType {
        match self.is_float() && self.size() == 1 {
            true => self.compute(),
            false => self,
        }
    }

    /// For a match over what such kernels take.
    ///
    /// # Panics
    /// Always: they are given the [`carrier`](DType::carrier).
    #[cold]
    pub fn not_carried(self) -> ! {
        unreachable!("{self} is carried as {}", self.carrier())
    }

    /// For a match over what storages hold and programs compute.
    ///
    /// # Panics
    /// Always: storages hold the parts of complex numbers, and programs compute with them.
    #[cold]
    pub fn not_stored(self) -> ! {
        unreachable!("{self} is stored as its parts")
    }

    /// The complex type whose parts hold every number of a floating type; a complex type itself.
    /// `None` for integers and bool, which take that of the default float.
    pub const fn to_complex(self) -> Option<DType> {
        match self {
            DType::F64 | DType::C128 => Some(DType::C128),
            _ if self.is_float() || self.is_complex() => Some(DType::C64),
            _ => None,
        }
    }

    /// Integers proper: not bool.
    pub const fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Unsigned | Kind::Signed)
    }

    /// The smallest and the largest integer it holds; `None` for floats and complex numbers.
    #[inline]
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        self.row().range
    }

    /// The floating format; `None` for other kinds.
    #[inline]
    pub const fn format(self) -> Option<&'static Format> {
        self.row().format.as_ref()
    }

    /// Whether every value of it is a value of the other. As NumPy has it, 64-bit integers count as
    /// safe in float64, though large ones round.
    pub fn is_safe_in(self, other: DType) -> bool {
        match (self.integer_range(), other.integer_range()) {
            _ if self == other || self == DType::Bool => true,
            (Some((low, high)), Some((least, most))) => {
                other != DType::Bool && least <= low && high <= most
            }
            (None, Some(_)) => false,
            (None, None) => promote(self, other) == other,
            (Some(_), None) => match self.size() {
                1 => other.part().size() > 1,
                2 => other.part().size() > 2,
                _ => other.part().size() > 4,
            },
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_type() {
        let mut all: Vec<&str> = Vec::new();
        for dtype in DType::ALL {
            let row = dtype.row();
            for name in [row.name].iter().chain(row.aliases).chain(row.codes) {
                assert!(!all.contains(name), "{name}");
                assert_eq!(DType::from_name(name), Some(dtype), "{name}");
                all.push(name);
            }
        }
        assert_eq!(DType::from_name("=f4"), Some(DType::F32));
        assert_eq!(DType::from_name("<float32"), None);
        assert_eq!(DType::from_name(""), None);
    }

    #[test]
    fn complex_types_are_pairs_of_stored_ones() {
        let (stored, complex): (Vec<DType>, Vec<DType>) =
            DType::ALL.into_iter().partition(|dtype| !dtype.is_complex());
        assert_eq!(stored, DType::STORED);
        for dtype in complex {
            assert_eq!(
                (dtype.part().to_complex(), dtype.size()),
                (Some(dtype), 2 * dtype.part().size())
            );
        }
        assert!(DType::F32.is_safe_in(DType::C64) && !DType::F64.is_safe_in(DType::C64));
        assert!(DType::I16.is_safe_in(DType::C64) && !DType::I32.is_safe_in(DType::C64));
        assert!(!DType::C64.is_safe_in(DType::F64));
    }

    #[test]
    fn formats_are_those_of_rust() {
        let format = DType::F32.format().unwrap();
        assert_eq!(2f64.powi(-format.fraction), f64::from(f32::EPSILON));
        assert_eq!(2f64.powi(format.least()), f64::from(f32::MIN_POSITIVE));
        assert_eq!(format.precision(), f32::DIGITS as i32);
        let format = DType::F64.format().unwrap();
        assert_eq!(2f64.powi(format.least()), f64::MIN_POSITIVE);
        assert_eq!(format.precision(), f64::DIGITS as i32);
        assert_eq!(DType::F16.format().unwrap().max, half::f16::MAX.to_f64());
        assert_eq!(DType::F16.format().unwrap().least(), -14);
        assert_eq!(DType::BF16.format().unwrap().max, half::bf16::MAX.to_f64());
        let largest = crate::dtype::F8E4M3::from_bits(0x7e).to_f64();
        assert_eq!(DType::F8E4M3.format().unwrap().max, largest);
        let largest = crate::dtype::F8E5M2::from_bits(0x7b).to_f64();
        assert_eq!(DType::F8E5M2.format().unwrap().max, largest);
        for dtype in DType::STORED.into_iter().filter(|dtype| dtype.is_float()) {
            let format = dtype.format().unwrap();
            assert_eq!(1 + format.exponent as usize + format.fraction as usize, 8 * dtype.size());
        }
    }
}
