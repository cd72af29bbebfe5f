//! What a program does.

pub use genesis_engine::*;

pub mod interp;
