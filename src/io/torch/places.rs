//! Where storages lie in a file.

use rustc_hash::FxHashMap;

use super::kinds::{self, Kind};
use super::{Storage, broken};
use crate::io::pickle::{Id, Node, Pickle};
use crate::io::zip::Member;
use crate::io::{Error, Source};

/// The storages that tensors have asked for.
pub(super) struct Places<'a> {
    source: &'a Source,
    way: Way<'a>,
    /// By their names.
    found: FxHashMap<Box<str>, Found>,
    storages: Vec<Storage>,
}

enum Way<'a> {
    Members {
        members: FxHashMap<&'a str, &'a Member>,
    },
    /// One behind the other, in this order, each behind a number that says how many elements it has.
    Row {
        names: Vec<String>,
        start: u64,
    },
}

/// A storage, as a tensor sees it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub name: Box<str>,
    pub number: usize,
    pub kind: Option<&'static Kind>,
    pub bytes: u64,
    /// Elements in front of the part of it that was meant.
    pub skipped: u64,
}

impl<'a> Places<'a> {
    /// Those that are members of an archive, behind a prefix.
    pub fn of_members(source: &'a Source, members: &'a [Member], prefix: &str) -> Places<'a> {
        let named = |member: &'a Member| Some((member.name.strip_prefix(prefix)?, member));
        let way = Way::Members { members: members.iter().filter_map(named).collect() };
        Places { source, way, found: FxHashMap::default(), storages: Vec::new() }
    }

    /// Those that follow each other from a byte on.
    pub fn in_a_row(source: &'a Source, names: Vec<String>, start: u64) -> Places<'a> {
        let way = Way::Row { names, start };
        Places { source, way, found: FxHashMap::default(), storages: Vec::new() }
    }

    /// What a persistent name means: `("storage", class, name, device, elements)`, and in the old format
    /// the part of it that is meant, or none.
    pub fn find(&mut self, pickle: &Pickle, id: Id) -> Result<Found, Error> {
        let (class, name, count, view) = match pickle.tuple(id) {
            Some([kind, class, name, _, count]) if pickle.text(*kind) == Some("storage") => {
                (*class, *name, *count, None)
            }
            Some([kind, class, name, _, count, view]) if pickle.text(*kind) == Some("storage") => {
                (*class, *name, *count, Some(*view))
            }
            _ => return broken("what is kept elsewhere is no storage"),
        };
        let Some(kind) = kinds::of_storage(pickle.global(class)) else {
            return broken("a storage is of no known class");
        };
        let (Some(name), Some(count)) = (pickle.text(name), pickle.count(count)) else {
            return broken("a storage has no name or no length");
        };
        let skipped = match view.map(|view| pickle.node(view)) {
            None | Some(Node::None) => 0,
            Some(Node::Tuple(view)) if view.len() == 3 => match pickle.count(view[1]) {
                Some(skipped) => skipped,
                None => return broken("a part of a storage has no beginning"),
            },
            Some(_) => return broken("a part of a storage is none"),
        };
        let Some(bytes) = count.checked_mul(kind.map_or(1, |kind| kind.size)) else {
            return Error::format(format!("the storage '{name}' can't have {count} elements"));
        };
        if let Some(known) = self.found.get(name) {
            if known.bytes != bytes {
                return Error::format(format!("the storage '{name}' has two lengths"));
            }
            return Ok(Found { kind, skipped, ..known.clone() });
        }
        if let Way::Members { members } = &self.way {
            let Some(member) = members.get(name) else {
                return Error::format(format!("the archive has no storage '{name}'"));
            };
            if member.size != bytes {
                return Error::format(format!(
                    "the storage '{name}' is said to have {bytes} bytes, and has {}",
                    member.size
                ));
            }
            let Some(start) = member.place(self.source)? else {
                return Error::format(format!(
                    "the storage '{name}' is deflated, and tensors are read where they lie: pack the archive \
                     anew without that (`zip -0`)"
                ));
            };
            if start.checked_add(bytes).is_none_or(|end| end > self.source.length()) {
                return Error::format(format!("the storage '{name}' reaches beyond the file"));
            }
            self.storages.push(Storage { start, bytes });
        } else {
            self.storages.push(Storage { start: 0, bytes });
        }
        let number = self.storages.len() - 1;
        let found = Found { name: name.into(), number, kind, bytes, skipped };
        self.found.insert(name.into(), found.clone());
        Ok(found)
    }

    /// All of them, none of which lies over another.
    pub fn finish(mut self) -> Result<Vec<Storage>, Error> {
        if let Way::Row { names, start } = &self.way {
            let mut at = *start;
            for name in names {
                let Some(found) = self.found.remove(name.as_str()) else {
                    return Error::format(format!("the storage '{name}' is no tensor's"));
                };
                let mut count = [0; 8];
                self.source.read_at(at, &mut count)?;
                let size = found.kind.map_or(1, |kind| kind.size);
                if u64::from_le_bytes(count).checked_mul(size) != Some(found.bytes) {
                    return Error::format(format!("the storage '{name}' has two lengths"));
                }
                self.storages[found.number].start = at + 8;
                let end = (at + 8).checked_add(found.bytes);
                let Some(end) = end.filter(|end| *end <= self.source.length()) else {
                    return Error::format(format!(
                        "the storage '{name}' reaches beyond the file: it is cut off"
                    ));
                };
                at = end;
            }
            if let Some(name) = self.found.keys().next() {
                return Error::format(format!("the storage '{name}' is not in the file"));
            }
        }
        let mut order: Vec<&Storage> = self.storages.iter().collect();
        order.sort_by_key(|storage| storage.start);
        let is_over = |pair: &[&Storage]| pair[0].start + pair[0].bytes > pair[1].start;
        match order.windows(2).any(|pair| pair[1].bytes > 0 && is_over(pair)) {
            true => Error::format("storages of the file lie over each other"),
            false => Ok(self.storages),
        }
    }
}
