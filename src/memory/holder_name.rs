//! What holds a block, as the user writes it.

use std::fmt;
use std::sync::Arc;

/// A variable, with the way to something inside it: `x`, `params['w']`, `pair[1]`. Of a list of a hundred
/// thousand tensors few names are ever read, so the last number is written when somebody does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HolderName {
    base: Arc<str>,
    item: Option<usize>,
}

impl HolderName {
    /// An item of a list or a tuple.
    pub fn item(base: &Arc<str>, at: usize) -> HolderName {
        HolderName { base: base.clone(), item: Some(at) }
    }

    /// The variable without the way inside it.
    pub fn variable(&self) -> &str {
        self.base.split(['[', '.']).next().unwrap_or_default()
    }

    /// The text, where it has been written already: of all but numbered items.
    pub fn as_plain(&self) -> Option<&str> {
        self.item.is_none().then_some(&*self.base)
    }

    /// Several in one text.
    pub fn list<'a>(names: impl IntoIterator<Item = &'a HolderName>) -> String {
        names.into_iter().map(HolderName::to_string).collect::<Vec<_>>().join(", ")
    }

    pub fn text(&self) -> Arc<str> {
        match self.item {
            None => self.base.clone(),
            Some(_) => self.to_string().into(),
        }
    }
}

impl From<String> for HolderName {
    fn from(text: String) -> Self {
        HolderName { base: text.into(), item: None }
    }
}

impl From<&str> for HolderName {
    fn from(text: &str) -> Self {
        HolderName { base: text.into(), item: None }
    }
}

impl fmt::Display for HolderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)?;
        self.item.map_or(Ok(()), |item| write!(f, "[{item}]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_read_as_they_are_written() {
        let item = HolderName::item(&"pair['a']".into(), 12);
        assert_eq!((item.to_string().as_str(), item.variable()), ("pair['a'][12]", "pair"));
        assert_eq!((item.as_plain(), &*item.text()), (None, "pair['a'][12]"));
        assert_eq!(HolderName::from("net.w").variable(), "net");
        assert_eq!(HolderName::from("x").as_plain(), Some("x"));
    }
}
