//! Asks the linker to keep one of functions with the same instructions, of which generic code makes many: a hundredth
//! of the binary. Not every linker can: whether this one does is tried on a program of nothing.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const FOLD: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if is_release && env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") && can_fold() {
        println!("cargo:rustc-link-arg-bins={FOLD}");
    }
}

/// Whether a program links with the flag, by the linker that will link ours.
fn can_fold() -> bool {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let program = PathBuf::from(variable("OUT_DIR")).join("nothing.rs");
    if std::fs::write(&program, "fn main() {}\n").is_err() {
        return false;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--target", &variable("TARGET"), "-C", &format!("link-arg={FOLD}")]);
    rustc.arg(&program).arg("--out-dir").arg(variable("OUT_DIR"));
    let linker = variable("RUSTC_LINKER");
    if !linker.is_empty() {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    rustc.args(variable("CARGO_ENCODED_RUSTFLAGS").split('\x1f').filter(|flag| !flag.is_empty()));
    let tried = rustc.stdout(Stdio::null()).stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}
