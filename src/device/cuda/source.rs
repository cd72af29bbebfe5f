//! The kernels that are not generated, as text.

/// A file of `kernels/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The file's name, for logs and for `:kernels`.
    pub name: &'static str,
    pub text: &'static str,
}

/// Types, half precision, faults: what every kernel begins with.
pub const PRELUDE: &str = include_str!("../../../kernels/prelude.cuh");

/// Brings small results to the host.
pub const DELIVER: Source =
    Source { name: "deliver.cu", text: include_str!("../../../kernels/deliver.cu") };

/// Puts the prelude and macros before `text`. Messages of the compiler then name `name` and its
/// lines. The macros stand in the text because NVRTC reads its own headers under those of its
/// options: `-DT=f32` breaks the templates there.
pub fn whole(name: &str, defines: &[(&str, &str)], text: &str) -> String {
    let defines: String =
        defines.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
    format!("#line 1 \"prelude.cuh\"\n{PRELUDE}\n{defines}#line 1 \"{name}\"\n{text}")
}
