//! The terminal: arguments, the line editor, the batch modes and the line protocol.
//!
//! This folder adapts [`session`](crate::session) and [`report`](crate::report) to rustyline,
//! owo-colors, prettytable and clap, and knows nothing of the language or of tensors. What a user
//! sees passes through `screen::Screen`; colours are chosen in `ansi.rs` alone.

mod ansi;
mod ask;
mod bar;
mod batch;
mod block;
mod cli;
mod config;
mod graphics;
mod helper;
mod history;
mod json;
mod keys;
mod output;
mod recall;
mod replay;
mod screen;
mod second;
mod start;
mod table;
mod terminal;
mod typed;
mod viewer;
mod watch;

pub use cli::command;
pub use start::{configure, main, told};
