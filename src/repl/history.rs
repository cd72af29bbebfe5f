//! What was typed in former sessions: a text file, one input a line, line breaks written as `\n`.
//!
//! Each input is appended in one write, so that sessions side by side do not tear each other's
//! lines. A file that can't be read or written costs one warning and nothing else.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// Inputs of former sessions that are kept.
pub const MAX_ENTRIES: usize = 10_000;
/// Bytes at the end of the file that are read; a larger file is cut to its newest inputs.
const MAX_BYTES: u64 = 4 << 20;

/// The file of former inputs, open for appending.
#[derive(Debug)]
pub struct HistoryFile {
    path: PathBuf,
}

impl HistoryFile {
    /// The file in the platform's data folder; none where the platform has no such folder.
    pub fn usual() -> Option<HistoryFile> {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(HistoryFile { path: strategy.data_dir().join("genesis-repl").join("history") })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The inputs of former sessions, the oldest first. No file is no input.
    ///
    /// # Errors
    /// What reading gave.
    pub fn load(&self) -> io::Result<Vec<String>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let about = file.metadata()?;
        if !about.is_file() {
            // A device such as /dev/full would be read without end.
            return Ok(Vec::new());
        }
        let skipped = about.len().saturating_sub(MAX_BYTES);
        file.seek(SeekFrom::Start(skipped))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().skip(usize::from(skipped > 0)).collect();
        let newest = &lines[lines.len().saturating_sub(MAX_ENTRIES)..];
        if skipped > 0 {
            // Through a second file, so that a full disk does not lose the first.
            let beside = self.path.with_extension("new");
            fs::write(&beside, newest.join("\n") + "\n")?;
            fs::rename(&beside, &self.path)?;
        }
        Ok(newest.iter().map(|line| unescape(line)).filter(|entry| !entry.is_empty()).collect())
    }

    /// Adds an input.
    ///
    /// # Errors
    /// What making the folder or writing gave.
    pub fn append(&self, entry: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        file.write_all((escape(entry) + "\n").as_bytes())
    }
}

fn escape(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescape(line: &str) -> String {
    let mut entry = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => entry.push(c),
            _ => match chars.next() {
                Some('n') => entry.push('\n'),
                Some('r') => entry.push('\r'),
                Some(other) => entry.push(other),
                None => entry.push('\\'),
            },
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile { path: folder.path().join("deep").join("history") };
        assert_eq!(file.load().unwrap(), Vec::<String>::new());
        let entries = ["x = [1,\n  2]", r"'\n' + r'\\'", "名前 = 1"];
        for entry in entries {
            file.append(entry).unwrap();
        }
        assert_eq!(file.load().unwrap(), entries);
    }

    #[test]
    fn a_huge_file_is_cut_to_its_newest_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile { path: folder.path().join("history") };
        let lines: Vec<String> = (0..400_000).map(|n| format!("x = {n} + 1000")).collect();
        fs::write(&file.path, lines.join("\n") + "\n").unwrap();
        let loaded = file.load().unwrap();
        assert_eq!(loaded.len(), MAX_ENTRIES);
        assert_eq!(loaded.last().unwrap(), "x = 399999 + 1000");
        assert!(fs::metadata(&file.path).unwrap().len() < MAX_BYTES);
    }

    #[test]
    fn a_full_disk_is_an_error_and_not_a_hang() {
        let path = PathBuf::from("/dev/full");
        if path.exists() {
            let file = HistoryFile { path };
            assert!(file.load().unwrap().is_empty());
            assert!(file.append("x").is_err());
        }
    }
}
