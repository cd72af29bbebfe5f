//! The engine behind `genesis-repl`. The modules stand in the order of their floors: each imports
//! only from the ones above it in this list. ARCHITECTURE.md is the map.

pub mod diag;
pub mod dtype;
pub mod layout;

pub mod io;
pub mod ir;
pub mod report;
pub mod syntax;

#[cfg(feature = "cuda")]
pub mod codegen;
pub mod memory;

pub mod device;
pub mod replay;

pub mod tensor;

pub mod interp;

pub mod session;

#[cfg(feature = "jupyter")]
pub mod jupyter;

pub mod notebook;

#[cfg(feature = "terminal")]
pub mod repl;
