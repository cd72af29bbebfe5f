//! What needs no tensor: types and layouts, programs of kernels, the grammar, reports, files.

pub mod diag;
pub mod dtype;
pub mod layout;

pub mod io;
pub mod ir;
pub mod report;
pub mod syntax;
