//! Asks the linker to keep one of functions with the same instructions, of which generic code makes many, and to pack
//! what is moved when the program starts: a twentieth of the binary. Not every linker can, and not every system starts
//! what is packed: each flag is tried on a program of nothing.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const FLAGS: [&str; 2] = ["-Wl,--icf=all", "-Wl,-z,pack-relative-relocs"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !is_release || env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    for flag in FLAGS.into_iter().filter(|flag| works(flag)) {
        println!("cargo:rustc-link-arg-bins={flag}");
    }
}

/// Whether a program links with the flag, by the linker that will link ours, and runs where it is for this system.
fn works(flag: &str) -> bool {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let folder = PathBuf::from(variable("OUT_DIR"));
    let (source, program) = (folder.join("nothing.rs"), folder.join("nothing"));
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--target", &variable("TARGET"), "-C", &format!("link-arg={flag}")]);
    rustc.arg(&source).arg("-o").arg(&program);
    let linker = variable("RUSTC_LINKER");
    if !linker.is_empty() {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    rustc.args(variable("CARGO_ENCODED_RUSTFLAGS").split('\x1f').filter(|flag| !flag.is_empty()));
    let is_native = variable("HOST") == variable("TARGET");
    succeeds(&mut rustc) && (!is_native || succeeds(&mut Command::new(&program)))
}

fn succeeds(command: &mut Command) -> bool {
    let tried = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}
