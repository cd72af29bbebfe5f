//! What programs make beside containers and tensors: iterators.

pub mod iterator;
