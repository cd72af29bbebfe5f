//! What programs make beside lists, tuples and dictionaries: functions, generators, iterators, sets,
//! views.

pub mod function;
pub mod generator;
pub mod iterator;
pub mod set;
pub mod view;
