//! The CPU back end. (being built)

mod compress;
mod elements;
mod number;
mod scan;
mod scatter;
