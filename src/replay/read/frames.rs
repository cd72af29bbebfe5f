//! Which frame of a stack says who asked for memory.

/// A line of a program that was running.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Texts.
    pub file: u32,
    pub name: u32,
    pub line: u64,
    pub tells: Tells,
}

/// How much a frame says, from the least on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tells {
    /// The interpreter and the allocator themselves.
    Noise,
    /// C++.
    Native,
    /// Python that came with a package: a layer, an optimizer.
    Library,
    /// The user's own program.
    Own,
}

pub(super) fn tells(file: &str, name: &str) -> Tells {
    let is_python = file.ends_with(".py") || file.starts_with('<') || file.contains("ipykernel");
    if is_python {
        let is_frozen = file.starts_with("<frozen") || file.starts_with("<__array_function__");
        let places = ["/site-packages/", "/dist-packages/", "/torch/", "/lib/python"];
        let is_library = is_frozen
            || places.iter().any(|place| file.contains(place))
            || file.contains("\\site-packages\\");
        return if is_library { Tells::Library } else { Tells::Own };
    }
    let noise = ["CUDACachingAllocator", "CapturedTraceback", "unwind", "ceval.c", "/Register"];
    let names =
        ["_start", "PyEval_", "_PyEval", "PyObject", "_PyObject", "c10::cuda", "torch::unwind"];
    let is_noise = name == "??"
        || file == "??" && name.is_empty()
        || noise.iter().any(|word| file.contains(word) || name.contains(word))
        || names.iter().any(|word| name.starts_with(word));
    if is_noise { Tells::Noise } else { Tells::Native }
}

/// `model/layers.py:31 forward`: as much of the path as tells files apart. Inputs of this program's
/// own snapshots read as its session shows them: `[3] x = zeros(4)`.
pub(super) fn label(file: &str, line: u64, name: &str) -> String {
    if let Some(input) = file.strip_prefix("<In ").and_then(|rest| rest.strip_suffix('>')) {
        return format!("[{input}] {name}");
    }
    let mut parts: Vec<&str> = file.rsplit(['/', '\\']).take(2).collect();
    parts.reverse();
    match parts.join("/") {
        file if file.is_empty() || file == "??" => name.to_owned(),
        file if line == 0 => format!("{file} {name}"),
        file => format!("{file}:{line} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_lines_tell_most() {
        let python = "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py";
        assert!(tells("/home/a/train.py", "step") > tells(python, "forward"));
        assert!(tells(python, "forward") > tells("at/native/Copy.cpp", "at::native::copy_"));
        assert!(tells("??", "at::native::copy_") > tells("??", "??"));
        assert_eq!(tells("/tmp/ipykernel_7/12.py", "<module>"), Tells::Own);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(label("/home/a/model/net.py", 31, "forward"), "model/net.py:31 forward");
        assert_eq!(label("C:\\work\\net.py", 31, "forward"), "work/net.py:31 forward");
        assert_eq!(label("<In 3>", 1, "x = zeros(4)"), "[3] x = zeros(4)");
        assert_eq!(label("??", 0, "at::empty"), "at::empty");
    }
}
