//! What programs make beside lists, tuples and dictionaries: iterators, sets, views.

pub mod iterator;
pub mod set;
pub mod view;
