//! The memory at a glance: its levels now and lately, and who holds the most.

use super::{Markup, human_bytes, human_count, spark};

/// Columns that the levels take in text, one for each moment.
const COLUMNS: usize = 48;

/// Steps of a column's height.
const STEPS: u64 = 8;

/// Levels of a device's memory in bytes, and how they came about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gauge {
    /// The device.
    pub title: String,
    /// What the levels are those of: `after [3]`.
    pub note: String,
    pub live: u64,
    pub reserved: u64,
    pub peak: u64,
    /// Live and reserved at moments that led here, the latest last.
    pub moments: Vec<(u64, u64)>,
    /// The variables that hold the most, the largest first.
    pub holders: Vec<Holding>,
    /// How many others hold memory, and how much all of them.
    pub others: (usize, u64),
}

/// Rows for holders, and below them one for the others: a panel that is updated in place must not
/// move what stands below it.
const ROWS: usize = 6;

/// A line about who holds memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row<'a> {
    Holding(&'a Holding),
    Rest(String),
    Empty,
}

/// A variable, or several that share their memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    pub names: String,
    /// Type and shape.
    pub what: String,
    pub bytes: u64,
}

impl Gauge {
    /// The figures by name.
    pub(super) fn figures(&self) -> [(&'static str, u64); 3] {
        [("live", self.live), ("reserved", self.reserved), ("peak", self.peak)]
    }

    /// Who holds memory, in a number of lines that stays the same.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: Vec<Row<'_>> = self.holders.iter().take(ROWS).map(Row::Holding).collect();
        let left = self.holders.get(ROWS..).unwrap_or_default();
        let (count, bytes) = self.others;
        let count = count + left.len();
        let bytes = bytes + left.iter().map(|holding| holding.bytes).sum::<u64>();
        rows.resize(ROWS, Row::Empty);
        rows.push(match count {
            0 => Row::Empty,
            1 => Row::Rest(format!("…and 1 more holds {}", human_bytes(bytes))),
            _ => Row::Rest(format!(
                "…and {} more hold {}",
                human_count(count as u64),
                human_bytes(bytes)
            )),
        });
        rows
    }

    /// A line of figures, the levels as blocks, and the variables.
    pub fn to_markup(&self) -> Markup {
        let mut markup = Markup::new().heading(&*self.title).dim("  ");
        for (at, (name, bytes)) in self.figures().into_iter().enumerate() {
            let gap = if at > 0 { " · " } else { "" };
            markup = markup.dim(format!("{gap}{name} ")).number(human_bytes(bytes));
        }
        markup = markup.dim(format!("  {}", self.note));
        let from = self.moments.len().saturating_sub(COLUMNS);
        let most = self.moments[from..].iter().map(|(live, _)| *live).max().unwrap_or(0);
        if most > 0 {
            // Steps, because a level that is low but not nothing must show.
            let step = |live: u64| (u128::from(live) * u128::from(STEPS)).div_ceil(most.into());
            let steps: Vec<u64> =
                self.moments[from..].iter().map(|(live, _)| step(*live) as u64).collect();
            markup = markup.newline().good(spark(&steps));
        }
        let name_width = self.holders.iter().map(|h| h.names.chars().count()).max().unwrap_or(0);
        for row in self.rows() {
            markup = match row {
                Row::Holding(Holding { names, what, bytes }) => markup
                    .newline()
                    .name(format!("{names:name_width$}"))
                    .number(format!("  {:>9}", human_bytes(*bytes)))
                    .dim(format!("  {what}")),
                Row::Rest(text) => markup.newline().dim(text),
                Row::Empty => markup,
            };
        }
        markup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn in_lines_of_text() {
        const MIB: u64 = 1 << 20;
        let holding = |names: &str, bytes| Holding {
            names: names.to_string(),
            what: "float32 (1024, 1024)".to_string(),
            bytes,
        };
        let gauge = Gauge {
            title: "cpu".to_string(),
            note: "after [3]".to_string(),
            live: 12 * MIB,
            reserved: 20 * MIB,
            peak: 16 * MIB,
            moments: vec![(0, 0), (MIB, 2 * MIB), (16 * MIB, 20 * MIB), (12 * MIB, 20 * MIB)],
            holders: vec![holding("x, y", 8 * MIB), holding("z", 4 * MIB)],
            others: (2, 1024),
        };
        expect![[r#"
            cpu  live 12.0 MiB · reserved 20.0 MiB · peak 16.0 MiB  after [3]
             ▁█▆
            x, y    8.0 MiB  float32 (1024, 1024)
            z       4.0 MiB  float32 (1024, 1024)
            …and 2 more hold 1.0 KiB"#]]
        .assert_eq(&gauge.to_markup().to_plain());
        expect!["  live 0 B · reserved 0 B · peak 0 B  "]
            .assert_eq(&Gauge::default().to_markup().to_plain());
    }
}
