//! Text to tree. Nothing here knows of tensors.

pub mod ast;
