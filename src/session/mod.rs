//! The session: the only door for front ends.

mod config;
mod environment;
mod settings;
mod size;

pub use config::{ColorChoice, Config, find_device};
pub use environment::VARIABLES;
pub use settings::{SETTINGS, Setting};
pub use size::{parse_simulate, parse_size};
