//! Finds NVIDIA's libraries where people have them: known to the dynamic linker, in a CUDA toolkit,
//! or in the `nvidia-*` packages of a Python environment.
//!
//! cudarc asks the linker only, and panics where a library is missing. So each library is opened
//! here first, by its path where need be: the linker then answers cudarc's own request with the
//! copy that is already in the process.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use libloading::Library;

/// A library that this back end can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dependency {
    Driver,
    Nvrtc,
    Cublas,
    Cufft,
    Cusolver,
    Cufile,
}

impl Dependency {
    pub const ALL: [Dependency; 6] = [
        Dependency::Driver,
        Dependency::Nvrtc,
        Dependency::Cublas,
        Dependency::Cufft,
        Dependency::Cusolver,
        Dependency::Cufile,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Dependency::Driver => "driver",
            Dependency::Nvrtc => "NVRTC",
            Dependency::Cublas => "cuBLAS",
            Dependency::Cufft => "cuFFT",
            Dependency::Cusolver => "cuSOLVER",
            Dependency::Cufile => "cuFile",
        }
    }

    /// How to get it.
    pub fn remedy(self) -> &'static str {
        match self {
            Dependency::Driver => "install the NVIDIA driver",
            Dependency::Nvrtc => "install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc`",
            Dependency::Cublas => "install the CUDA toolkit, or `pip install nvidia-cublas`",
            Dependency::Cufft => "install the CUDA toolkit, or `pip install nvidia-cufft`",
            Dependency::Cusolver => "install the CUDA toolkit, or `pip install nvidia-cusolver`",
            Dependency::Cufile => "install the CUDA toolkit, or `pip install nvidia-cufile`",
        }
    }

    /// File names by which the linker may know it, the newest first; all are names that cudarc asks
    /// for too.
    fn names(self) -> &'static [&'static str] {
        match self {
            Dependency::Driver => &["libcuda.so.1", "libcuda.so"],
            Dependency::Nvrtc => &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"],
            Dependency::Cublas => &["libcublas.so.13", "libcublas.so.12", "libcublas.so"],
            // CUDA 13 has its twelfth version, and CUDA 12 its eleventh.
            Dependency::Cufft => &["libcufft.so.12", "libcufft.so.11", "libcufft.so"],
            Dependency::Cusolver => &["libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"],
            Dependency::Cufile => &["libcufile.so.0", "libcufile.so"],
        }
    }

    /// The beginning of the names of files that must be in the process before it, as a wheel's
    /// libraries do not find each other.
    fn before(self) -> &'static [&'static str] {
        match self {
            Dependency::Driver | Dependency::Cufft | Dependency::Cufile => &[],
            Dependency::Nvrtc => &["libnvrtc-builtins.so."],
            Dependency::Cublas => &["libcublasLt.so."],
            Dependency::Cusolver => {
                &["libcublasLt.so.", "libcublas.so.", "libnvJitLink.so.", "libcusparse.so."]
            }
        }
    }

    /// Opens it, and keeps it open for the process's life.
    ///
    /// # Errors
    /// It is nowhere, in words that say how to get it.
    pub fn open(self) -> Result<(), String> {
        let is_known = self.names().iter().any(|name| open_and_keep(OsStr::new(name)));
        let is_open = is_known
            || self != Dependency::Driver && folders().iter().any(|folder| self.open_in(folder));
        if is_open {
            return Ok(());
        }
        let (owner, name) = match self {
            Dependency::Driver => ("NVIDIA's ", "driver"),
            other => ("", other.name()),
        };
        Err(format!("{owner}{name} was not found: {}", self.remedy()))
    }

    /// Opens it, and gives the file that it is.
    ///
    /// # Errors
    /// As [`Dependency::open`].
    pub fn locate(self) -> Result<PathBuf, String> {
        self.open()?;
        // What the linker knew by name has no path here, but the process's own map names it.
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let paths = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
        let stem = self.names().last().copied().unwrap_or_default();
        let is_own =
            |path: &&str| path.rsplit('/').next().is_some_and(|file| file.starts_with(stem));
        Ok(PathBuf::from(
            paths.filter(|path| !path.ends_with(" (deleted)")).find(is_own).unwrap_or(stem),
        ))
    }

    /// A handle to it, which whoever uses its functions keeps.
    ///
    /// # Errors
    /// As [`Dependency::open`].
    pub fn library(self) -> Result<Library, String> {
        self.open()?;
        let path = self.locate()?;
        // SAFETY: it is in the process already.
        unsafe { Library::new(path) }.map_err(|error| error.to_string())
    }

    /// A function of the open library.
    ///
    /// # Safety
    /// `F` is the type that the library's header gives it, and the library stays open while it is used.
    ///
    /// # Errors
    /// The library has none of this name.
    pub unsafe fn function<F: Copy>(self, library: &Library, name: &str) -> Result<F, String> {
        // SAFETY: the caller's.
        let found = unsafe { library.get::<F>(name.as_bytes()) };
        found.map(|function| *function).map_err(|_| format!("{} has no `{name}`", self.name()))
    }

    fn open_in(self, folder: &Path) -> bool {
        let mut paths = self.names().iter().map(|name| folder.join(name));
        let Some(path) = paths.find(|path| path.exists()) else { return false };
        for prefix in self.before() {
            for companion in files_beginning(folder, prefix) {
                open_and_keep(companion.as_os_str());
            }
        }
        open_and_keep(path.as_os_str())
    }
}

/// The driver's own number, as `580.95.05`, if the system tells it.
pub fn driver_release() -> Option<String> {
    if let Ok(text) = fs::read_to_string("/sys/module/nvidia/version") {
        return Some(text.trim().to_string()).filter(|text| !text.is_empty());
    }
    let text = fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    let line = text.lines().next()?;
    let is_release =
        |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    line.split_whitespace().find(is_release).map(str::to_string)
}

fn open_and_keep(name: &OsStr) -> bool {
    // SAFETY: the initialisers of NVIDIA's libraries only set up their own state.
    match unsafe { Library::new(name) } {
        Ok(library) => {
            // Handles into it are kept as plain function pointers, so it must never be closed.
            std::mem::forget(library);
            true
        }
        Err(_) => false,
    }
}

/// Folders to look in, the likeliest first.
fn folders() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for variable in ["CUDA_HOME", "CUDA_PATH"] {
        if let Some(root) = env::var_os(variable) {
            found.push(Path::new(&root).join("lib64"));
            found.push(Path::new(&root).join("lib"));
        }
    }
    let mut toolkits = children(Path::new("/usr/local"), |name| name.starts_with("cuda"));
    toolkits.extend([PathBuf::from("/opt/cuda")]);
    // The highest version is the last in order.
    toolkits.sort();
    for toolkit in toolkits.iter().rev() {
        found.push(toolkit.join("lib64"));
        found.push(toolkit.join("targets/x86_64-linux/lib"));
    }
    for packages in site_packages() {
        for vendor in children(&packages.join("nvidia"), |_| true) {
            found.push(vendor.join("lib"));
        }
    }
    found
}

/// The package folders of the Python environments that a user of this shell would import from.
fn site_packages() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        roots.extend(env::var_os(variable).map(PathBuf::from));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path) {
        if folder.join("python3").exists() {
            roots.extend(folder.parent().map(Path::to_path_buf));
        }
    }
    if let Some(home) = env::var_os("HOME") {
        roots.push(Path::new(&home).join(".local"));
    }
    roots.extend([PathBuf::from("/usr/local"), PathBuf::from("/usr")]);
    let mut found: Vec<PathBuf> = Vec::new();
    for root in roots {
        for python in children(&root.join("lib"), |name| name.starts_with("python3")) {
            for packages in ["site-packages", "dist-packages"] {
                let folder = python.join(packages);
                if folder.is_dir() && !found.contains(&folder) {
                    found.push(folder);
                }
            }
        }
    }
    found
}

fn children(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let wanted = |name: &OsString| name.to_str().is_some_and(&wanted);
    let mut found: Vec<PathBuf> = names.filter(wanted).map(|name| folder.join(name)).collect();
    found.sort();
    found
}

fn files_beginning(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    children(folder, |name| name.starts_with(prefix) && !name.contains(".alt."))
}
