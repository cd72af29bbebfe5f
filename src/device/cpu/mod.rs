//! The CPU back end. (being built)

mod compress;
mod elements;
mod matmul;
mod number;
mod random;
mod scan;
mod scatter;
mod sort;
