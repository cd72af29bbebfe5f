//! Plain Python beside CPython, whose answers the scripts of this folder wrote down.

mod calls;
mod cells;
mod classes;
mod cycles;
mod library;
#[path = "../suite/printed.rs"]
mod printed;
mod programs;

use std::path::{Path, PathBuf};

use printed::Printed;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python")
}
