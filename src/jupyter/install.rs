//! The kernelspec: the folder by which Jupyter finds the kernel.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::log::say;
use crate::session::write_whole;

/// Where a kernelspec goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The active environment if there is one, or else this user.
    Usual,
    User,
    /// The active environment.
    Environment,
    Prefix(PathBuf),
}

/// What is to be installed.
#[derive(Debug, Clone)]
pub struct Spec<'a> {
    pub name: &'a str,
    pub display_name: Option<String>,
    /// Options for the kernel's own command line.
    pub choices: Vec<OsString>,
}

/// What marks a kernelspec as one of ours.
const MARK: &str = "genesis-repl";

const LOGOS: [(&str, &[u8]); 3] = [
    ("logo-32x32.png", include_bytes!("logo/logo-32x32.png")),
    ("logo-64x64.png", include_bytes!("logo/logo-64x64.png")),
    ("logo-svg.svg", include_bytes!("logo/logo-svg.svg")),
];

/// Writes the kernelspec, over an older one of ours, and says where.
///
/// # Errors
/// The place is not known, can't be written, or holds somebody else's kernel.
pub fn install(place: &Place, spec: &Spec<'_>) -> Result<(), String> {
    let folder = place.folder(spec.name)?;
    if folder.exists() && !is_ours(&folder) {
        return Err(format!(
            "`{}` holds another kernel; choose a name for this one with --name",
            folder.display()
        ));
    }
    let program = env::current_exe().map_err(|error| format!("can't find myself: {error}"))?;
    let mut files: Vec<(&str, Vec<u8>)> =
        LOGOS.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect();
    let text = serde_json::to_string_pretty(&kernel_json(&program, spec)?)
        .map_err(|error| error.to_string())?;
    files.push(("kernel.json", (text + "\n").into_bytes()));
    let fail = |path: &Path, error: std::io::Error| {
        let hint = "; --user or --prefix DIR choose another place";
        format!("can't write `{}`: {error}{hint}", path.display())
    };
    fs::create_dir_all(&folder).map_err(|error| fail(&folder, error))?;
    for (name, bytes) in files {
        let path = folder.join(name);
        write_whole(&path, &bytes).map_err(|error| fail(&path, error))?;
    }
    say(format_args!("Jupyter knows the kernel `{}` now: {}", spec.name, folder.display()));
    Ok(())
}

/// Removes a kernelspec that `install` wrote; any other stays.
///
/// # Errors
/// There is none, it is somebody else's, or it can't be removed.
pub fn uninstall(place: &Place, name: &str) -> Result<(), String> {
    let folder = place.folder(name)?;
    if !folder.exists() {
        return Err(format!(
            "there is no kernel `{name}` in `{}`; --user, --sys-prefix and --prefix DIR name other places",
            folder.parent().unwrap_or(&folder).display()
        ));
    }
    if !is_ours(&folder) {
        return Err(format!("`{}` is another kernel's, so it stays", folder.display()));
    }
    fs::remove_dir_all(&folder)
        .map_err(|error| format!("can't remove `{}`: {error}", folder.display()))?;
    say(format_args!("removed {}", folder.display()));
    Ok(())
}

fn kernel_json(program: &Path, spec: &Spec<'_>) -> Result<Value, String> {
    let mut argv: Vec<OsString> = vec![program.into(), "jupyter".into(), "run".into()];
    argv.extend(spec.choices.iter().cloned());
    argv.push("{connection_file}".into());
    let argv: Vec<String> = argv
        .into_iter()
        .map(|word| {
            let fail = |word| format!("Jupyter needs paths in UTF-8, found {word:?}");
            word.into_string().map_err(fail)
        })
        .collect::<Result<_, _>>()?;
    let usual = match spec.choices.as_slice() {
        [] => "Genesis".to_string(),
        choices => {
            let values = choices.iter().skip(1).step_by(2).map(|word| word.to_string_lossy());
            let values: Vec<_> = values.collect();
            format!("Genesis ({})", values.join(", "))
        }
    };
    Ok(json!({
        "argv": argv,
        "display_name": spec.display_name.as_ref().unwrap_or(&usual),
        "language": "genesis",
        "interrupt_mode": "message",
        "kernel_protocol_version": super::info::PROTOCOL,
        "env": {},
        "metadata": { "installed_by": MARK, "version": env!("CARGO_PKG_VERSION") },
    }))
}

fn is_ours(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join("kernel.json")).unwrap_or_default();
    let spec: Value = serde_json::from_str(&text).unwrap_or_default();
    spec["metadata"]["installed_by"] == MARK
}

impl Place {
    /// The kernelspec's own folder.
    fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(is_good) || name.starts_with('.') {
            let found = format!("found `{name}`");
            return Err(format!("expected a name of letters, digits, `-`, `_` and `.`, {found}"));
        }
        Ok(self.data(&|name| env::var_os(name))?.join("kernels").join(name.to_lowercase()))
    }

    /// Jupyter's folder for data there.
    fn data(&self, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, String> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let environment = || {
            let prefix = set("VIRTUAL_ENV").or_else(|| set("CONDA_PREFIX"));
            prefix.map(|prefix| prefix.join("share").join("jupyter"))
        };
        let first = |paths: PathBuf| env::split_paths(&paths).next();
        match self {
            Place::Prefix(prefix) => {
                let prefix = std::path::absolute(prefix).map_err(|error| error.to_string())?;
                Ok(prefix.join("share").join("jupyter"))
            }
            Place::Environment => environment().ok_or_else(|| {
                "no environment is active: neither VIRTUAL_ENV nor CONDA_PREFIX is set; \
                 --prefix DIR names one"
                    .to_string()
            }),
            // Who sets JUPYTER_PATH means kernels to be found there before all others.
            Place::Usual => match set("JUPYTER_PATH").and_then(first).or_else(environment) {
                Some(path) => Ok(path),
                None => user_data(&set),
            },
            Place::User => user_data(&set),
        }
    }
}

/// Jupyter's folder for this user's data.
fn user_data(set: &dyn Fn(&str) -> Option<PathBuf>) -> Result<PathBuf, String> {
    if let Some(path) = set("JUPYTER_DATA_DIR") {
        return Ok(path);
    }
    let no_home = || "HOME is not set; --prefix DIR names a place".to_string();
    let home = || set("HOME").or_else(|| set("USERPROFILE")).ok_or_else(no_home);
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library").join("Jupyter"));
    }
    if cfg!(windows)
        && let Some(path) = set("APPDATA")
    {
        return Ok(path.join("jupyter"));
    }
    match set("XDG_DATA_HOME") {
        Some(path) => Ok(path.join("jupyter")),
        None => Ok(home()?.join(".local").join("share").join("jupyter")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(place: Place, variables: &[(&str, &str)]) -> Result<PathBuf, String> {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
        place.data(&|name| find(name).map(|(_, value)| value.into()))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn where_jupyter_looks() {
        let home = ("HOME", "/h");
        let at = |place, variables: &[_]| data(place, variables).unwrap().display().to_string();
        assert_eq!(at(Place::User, &[home]), "/h/.local/share/jupyter");
        assert_eq!(at(Place::User, &[home, ("XDG_DATA_HOME", "/x")]), "/x/jupyter");
        assert_eq!(at(Place::User, &[home, ("JUPYTER_DATA_DIR", "/j")]), "/j");
        let venv = ("VIRTUAL_ENV", "/v");
        assert_eq!(at(Place::Usual, &[home]), "/h/.local/share/jupyter");
        assert_eq!(at(Place::Usual, &[home, venv]), "/v/share/jupyter");
        assert_eq!(at(Place::Usual, &[home, venv, ("JUPYTER_PATH", "/p:/q")]), "/p");
        assert_eq!(at(Place::Environment, &[("CONDA_PREFIX", "/c")]), "/c/share/jupyter");
        assert_eq!(at(Place::Prefix("/usr".into()), &[]), "/usr/share/jupyter");
        assert!(data(Place::Environment, &[home]).unwrap_err().contains("VIRTUAL_ENV"));
    }

    #[test]
    fn a_kernelspec_starts_this_program_with_its_choices() {
        let choices = vec!["--simulate".into(), "8GiB".into()];
        let spec = Spec { name: "genesis", display_name: None, choices };
        let json = kernel_json(Path::new("/bin/genesis-repl"), &spec).unwrap();
        let argv =
            ["/bin/genesis-repl", "jupyter", "run", "--simulate", "8GiB", "{connection_file}"];
        assert_eq!(json["argv"], json!(argv));
        assert_eq!(json["display_name"], "Genesis (8GiB)");
        assert_eq!(json["interrupt_mode"], "message");
    }
}
