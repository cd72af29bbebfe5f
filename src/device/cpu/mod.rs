//! The CPU back end. (being built)

mod compress;
mod elements;
mod matmul;
mod number;
mod scan;
mod scatter;
mod sort;
