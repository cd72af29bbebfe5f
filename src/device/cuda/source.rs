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

impl Source {
    /// The text that is compiled: the prelude, then the file, each with its own line numbers.
    pub fn whole(&self) -> String {
        whole(self.name, self.text)
    }
}

/// Puts the prelude before `text`. Messages of the compiler then name `name` and its lines.
pub fn whole(name: &str, text: &str) -> String {
    format!("#line 1 \"prelude.cuh\"\n{PRELUDE}\n#line 1 \"{name}\"\n{text}")
}
