//! NumPy's classes of types.

use super::{DType, Kind};

/// A class that types belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Generic,
    Number,
    Integer,
    SignedInteger,
    UnsignedInteger,
    Inexact,
    Floating,
    ComplexFloating,
}

impl Class {
    pub const ALL: [Class; 8] = [
        Class::Generic,
        Class::Number,
        Class::Integer,
        Class::SignedInteger,
        Class::UnsignedInteger,
        Class::Inexact,
        Class::Floating,
        Class::ComplexFloating,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Class::Generic => "generic",
            Class::Number => "number",
            Class::Integer => "integer",
            Class::SignedInteger => "signedinteger",
            Class::UnsignedInteger => "unsignedinteger",
            Class::Inexact => "inexact",
            Class::Floating => "floating",
            Class::ComplexFloating => "complexfloating",
        }
    }

    pub fn from_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The class that it is derived from.
    const fn base(self) -> Option<Class> {
        match self {
            Class::Generic => None,
            Class::Number => Some(Class::Generic),
            Class::Integer | Class::Inexact => Some(Class::Number),
            Class::SignedInteger | Class::UnsignedInteger => Some(Class::Integer),
            Class::Floating | Class::ComplexFloating => Some(Class::Inexact),
        }
    }

    /// Whether it is the other class, or derived from it.
    pub fn is_a(self, other: Class) -> bool {
        self == other || self.base().is_some_and(|base| base.is_a(other))
    }

    pub fn holds(self, dtype: DType) -> bool {
        let own = match dtype.kind() {
            Kind::Bool => Class::Generic,
            Kind::Unsigned => Class::UnsignedInteger,
            Kind::Signed => Class::SignedInteger,
            Kind::Float => Class::Floating,
            Kind::Complex => Class::ComplexFloating,
        };
        own.is_a(self)
    }
}
