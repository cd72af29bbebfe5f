//! Sentences about who keeps which memory alive, and what would let it go. Each is true as it stands:
//! what it says to delete frees what it says.

use super::Session;
use super::memory_view::{Role, Share, brief};
use crate::memory::{HolderName, Snapshot};
use crate::report::{Markup, Report, human_bytes};

/// More notes than this would be noise.
const MAX_NOTES: usize = 4;

/// Columns of a statement in a note.
const STATEMENT: usize = 40;

impl Session {
    /// What a reader of the table of variables may not expect.
    pub(super) fn notes(&self, shares: &[Share], snapshot: &Snapshot) -> Option<Report> {
        let mut notes: Vec<String> = Vec::new();
        // Those of one storage are beside each other.
        for of_one in shares.chunk_by(|a, b| a.address == b.address) {
            if notes.len() == MAX_NOTES {
                break;
            }
            if let [only] = of_one
                && only.role == Role::Owner
                && !only.holder.is_result()
            {
                continue;
            }
            let all: Vec<&Share> = of_one.iter().filter(|share| share.bytes > 0).collect();
            notes.extend(note(&all, snapshot));
        }
        let mut text = Markup::new();
        for (at, note) in notes.iter().enumerate() {
            text = if at > 0 { text.newline() } else { text }.hint(note);
        }
        (!text.is_empty()).then(|| text.into())
    }
}

/// What there is to say about one storage and all that hold it.
fn note(all: &[&Share], snapshot: &Snapshot) -> Option<String> {
    let first = all.first()?;
    let bytes = human_bytes(first.storage_bytes);
    let mut units: Vec<&HolderName> = Vec::new();
    for share in all {
        if !units.contains(&&share.holder.unit) {
            units.push(&share.holder.unit);
        }
    }
    let joined = || units.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let listed = units.iter().map(|unit| format!("`{unit}`")).collect::<Vec<_>>().join(", ");
    if all.iter().all(|share| share.role == Role::Pins) {
        let made = snapshot.block_at(first.address).map(|b| snapshot.statement_text(b.statement));
        let made =
            made.map_or(String::new(), |text| format!(" that `{}` made", brief(&text, STATEMENT)));
        let (name, shown) = (&first.holder.name, human_bytes(first.bytes));
        let keep = if all.len() == 1 { "keeps" } else { "keep" };
        let names: Vec<String> =
            all.iter().map(|share| format!("`{}`", share.holder.name)).collect();
        let remedy = match all {
            // The part of a tuple, or of a result, can't be given another value.
            [only] if only.holder.unit == *name => {
                format!("`{name} = {name}.copy()` would let the rest go")
            }
            [_] => format!("`del {}` would free it", units[0]),
            _ => format!("`del {}` would free it", joined()),
        };
        let shows = match all {
            [_] => format!(", and shows {shown} of it"),
            _ => ", and show parts of it".to_string(),
        };
        return Some(format!("{} {keep} {bytes}{made} alive{shows}; {remedy}", names.join(", ")));
    }
    let owner = all.iter().find(|share| share.role == Role::Owner)?;
    let name = &owner.holder.name;
    if all.iter().all(|share| share.holder.is_result()) {
        let unit = joined();
        return Some(format!(
            "an old result alone keeps {bytes} alive: `del {unit}` would free it"
        ));
    }
    let others = || all.iter().filter(|share| share.holder.unit != owner.holder.unit);
    let other = others().find(|share| !share.holder.is_result()).or_else(|| others().next())?;
    // A result that is a variable's tensor once more is beside it in the table.
    match other.holder.is_result() {
        true => Some(format!(
            "`del {}` alone would free nothing: {listed} hold the same {bytes}",
            owner.holder.unit
        )),
        false => Some(format!(
            "`del {name}` would free nothing: `{}` keeps {bytes} of `{name}`'s storage alive",
            other.holder.name
        )),
    }
}
