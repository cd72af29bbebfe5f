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

/// The text of a file of `kernels/`, behind those of the files that its family shares.
macro_rules! kernel_source {
    ($name:literal $(, behind $($shared:literal),+)?) => {
        $crate::device::cuda::source::Source {
            name: $name,
            text: concat!(
                $($($crate::device::cuda::source::numbered!($shared), "\n",)+)?
                $crate::device::cuda::source::numbered!($name)
            ),
        }
    };
}
pub(super) use kernel_source;

/// A file of `kernels/`, whose lines the compiler's messages count from its beginning.
macro_rules! numbered {
    ($name:literal) => {
        concat!(
            "#line 1 \"",
            $name,
            "\"\n",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels/", $name))
        )
    };
}
pub(super) use numbered;

/// Brings small results to the host.
pub const DELIVER: Source = kernel_source!("deliver.cu");

/// Puts the prelude and macros before `text`. Messages of the compiler then name `name` and its
/// lines. The macros stand in the text because NVRTC reads its own headers under those of its
/// options: `-DT=f32` breaks the templates there.
pub fn whole(name: &str, defines: &[(&str, &str)], text: &str) -> String {
    let defines: String =
        defines.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
    format!("#line 1 \"prelude.cuh\"\n{PRELUDE}\n{defines}#line 1 \"{name}\"\n{text}")
}
