//! The configuration file: TOML whose keys are the settings of `:set`.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// Where the file usually is.
pub fn usual_path() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join("genesis-repl").join("config.toml"))
}

/// The settings of a file in their order, each value as `:set` takes it.
///
/// # Errors
/// A message that names the file, and the line where the file is no TOML.
pub fn load(path: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("can't read the configuration `{}`: {error}", path.display()))?;
    parse(&text).map_err(|(line, message)| format!("{}:{line}: {message}", path.display()))
}

/// The settings of a text, or the line of the first mistake and what it is.
fn parse(text: &str) -> Result<Vec<(String, String)>, (usize, String)> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        (line, error.message().trim().replace('\n', ", "))
    })?;
    let setting = |(key, value): (String, toml::Value)| {
        let value = match value {
            toml::Value::String(text) => text,
            other => other.to_string(),
        };
        (key, value)
    };
    Ok(table.into_iter().map(setting).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_as_text() {
        let settings = parse("precision = 4\ncolor = 'never' # no\nsuppress = true\n").unwrap();
        let expected = [("precision", "4"), ("color", "never"), ("suppress", "true")];
        for (key, value) in expected {
            assert!(settings.contains(&(key.to_string(), value.to_string())), "{settings:?}");
        }
    }

    #[test]
    fn the_line_of_a_mistake() {
        let (line, message) = parse("precision = 4\n\nthreshold = \n").unwrap_err();
        assert_eq!(line, 3, "{message}");
        assert!(!message.is_empty());
        assert_eq!(parse("a = 1\na = 2\n").unwrap_err().0, 2);
    }
}
