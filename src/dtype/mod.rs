//! Element types: one table of what is to be known of each, how they combine, and single values of them.

mod class;
mod element;
mod float8;
mod promote;
mod scalar;
mod table;

pub use class::Class;
pub use element::{Bits, Element, WIDEST, by_real};
pub use float8::{F8E4M3, F8E5M2, Float8};
pub use promote::{
    common_type, comparable, comparable_with, complex_of, default_for_integers, promote,
};
pub use scalar::Scalar;
pub use table::{DType, Format, Kind};
