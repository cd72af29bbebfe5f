//! The native Jupyter kernel: cells are programs of the language, over one session that lives as
//! long as the kernel.
//!
//! The session belongs to the main thread, because its values are not shared between threads.
//! `wire/` has a thread for each socket that must never wait for a cell: control (interrupt and
//! shutdown), the heartbeat, and shell with iopub and stdin. Requests reach the main thread through
//! a channel in their order; what it says goes out through the `wire::Outbox`. `gate.rs` sees to
//! it that an interrupt meets the cell it was meant for. `live.rs` keeps the panel of `:mem live` up to
//! date, with a thread that reads the allocator's counters and nothing else. What a report looks like
//! in a notebook is decided in `display.rs` alone. `comms.rs` knows which comms are open, `widget.rs` what a
//! widget says on one: a view that is moved after its cell.

mod ansi;
mod bar;
mod cli;
mod comms;
mod complete;
mod display;
mod execute;
mod gate;
mod history;
mod info;
mod inspect;
mod install;
mod kernel;
mod live;
mod log;
mod orphan;
mod sink;
mod widget;
mod wire;

pub use cli::{command, main};
