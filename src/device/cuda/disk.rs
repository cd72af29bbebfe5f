//! Machine code that outlives the process: one file for each compilation.
//!
//! A file's name is a hash of everything that the code depends on: the text, the options (with the
//! architecture), and NVRTC's version. A cache is never a reason to fail: what can't be read is
//! compiled again, what can't be written is not kept.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::device::DiskUsage;

/// A folder of compiled kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskCache {
    folder: PathBuf,
}

/// The place of one compilation's code.
#[derive(Debug)]
pub struct Entry {
    path: PathBuf,
}

/// What a file begins with; the number changes with the format.
const MAGIC: &[u8; 8] = b"gxcubin1";

impl DiskCache {
    pub fn new(folder: PathBuf) -> DiskCache {
        DiskCache { folder }
    }

    /// In `GENESIS_KERNEL_CACHE_DIR`, or where this user's caches are. None if there is no such place,
    /// or the variable is empty.
    pub fn at_default_place() -> Option<DiskCache> {
        if let Some(folder) = env::var_os("GENESIS_KERNEL_CACHE_DIR") {
            return (!folder.is_empty()).then(|| DiskCache::new(folder.into()));
        }
        let caches = match env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(&env::var_os("HOME")?).join(".cache"),
        };
        Some(DiskCache::new(caches.join("genesis-repl").join("kernels")))
    }

    pub fn usage(&self) -> DiskUsage {
        let files = self.files();
        let bytes = files.iter().filter_map(|file| Some(fs::metadata(file).ok()?.len())).sum();
        DiskUsage { folder: self.folder.clone(), files: files.len(), bytes }
    }

    /// Removes all of it; gives how many files went.
    pub fn clear(&self) -> usize {
        self.files().iter().filter(|file| fs::remove_file(file).is_ok()).count()
    }

    pub(super) fn entry(&self, text: &str, options: &[String], version: (i32, i32)) -> Entry {
        let hash = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, text, options, version).hash(&mut hasher);
            hasher.finish()
        };
        Entry { path: self.folder.join(format!("{:016x}{:016x}.cubin", hash(0), hash(1))) }
    }

    fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        paths.filter(|path| path.extension().is_some_and(|end| end == "cubin")).collect()
    }
}

impl Entry {
    /// The code, if it is there and whole.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let bytes = fs::read(&self.path).ok()?;
        let (head, code) = bytes.split_at_checked(16)?;
        let is_whole = head[..8] == MAGIC[..] && head[8..] == check_sum(code);
        is_whole.then(|| code.to_vec())
    }

    /// Keeps the code. Other processes see the whole file or none.
    pub(super) fn write(&self, code: &[u8]) {
        let Some(folder) = self.path.parent() else { return };
        let draft = self.path.with_extension(format!("{}.part", std::process::id()));
        let bytes = [&MAGIC[..], &check_sum(code), code].concat();
        let kept = fs::create_dir_all(folder)
            .and_then(|()| fs::write(&draft, bytes))
            .and_then(|()| fs::rename(&draft, &self.path));
        if kept.is_err() {
            // Nothing is lost but time: it will be compiled again.
            let _ = fs::remove_file(&draft);
        }
    }
}

fn check_sum(code: &[u8]) -> [u8; 8] {
    let mut hasher = DefaultHasher::new();
    hasher.write(code);
    hasher.finish().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_whole_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::new(folder.path().join("kernels"));
        let entry = cache.entry("text", &["-DT=f32".into()], (13, 0));
        assert_eq!(entry.read(), None);
        entry.write(b"machine code");
        assert_eq!(entry.read().as_deref(), Some(&b"machine code"[..]));
        let usage = cache.usage();
        assert_eq!((usage.files, usage.bytes), (1, 28));
        let other = cache.entry("text", &["-DT=f64".into()], (13, 0));
        assert_eq!(other.read(), None);
        fs::write(&entry.path, b"gxcubin1????????machine").unwrap();
        assert_eq!(entry.read(), None, "a torn file");
        assert_eq!(cache.clear(), 1);
    }
}
