//! The engine behind `genesis-repl`. The modules stand in the order of their floors: each imports
//! only from the ones above it. The lower floors are crates of their own (`base.rs`, `engine.rs`, `language.rs`),
//! whose modules are here, too. ARCHITECTURE.md is the map.

pub use genesis_language::*;

pub mod session;

#[cfg(feature = "jupyter")]
pub mod jupyter;

pub mod notebook;

#[cfg(feature = "terminal")]
pub mod repl;
