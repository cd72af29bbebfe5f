//! The pretended CUDA libraries, for tests that run the program over them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the libraries, built if need be. None where there is no C++ compiler.
///
/// # Panics
/// There is one, but the libraries do not build.
pub fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
    if !Command::new(compiler).arg("--version").output().is_ok_and(|it| it.status.success()) {
        return None;
    }
    let built = Command::new(root.join("tests/shim/build")).output().expect("bash is there");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(root.join("target/shim"))
}
