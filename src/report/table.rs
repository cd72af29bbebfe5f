//! Rows under headers; nothing is drawn here.

use super::Markup;

/// Where the text of a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    #[default]
    Left,
    Right,
}

/// A column's header and the side on which its cells stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub title: String,
    pub align: Align,
}

impl Column {
    pub fn left(title: impl Into<String>) -> Column {
        Column { title: title.into(), align: Align::Left }
    }

    pub fn right(title: impl Into<String>) -> Column {
        Column { title: title.into(), align: Align::Right }
    }
}

/// Rows of marked-up cells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    pub title: Option<Markup>,
    pub columns: Vec<Column>,
    /// Each as long as `columns`; [`Table::row`] sees to it.
    pub rows: Vec<Vec<Markup>>,
}

impl Table {
    /// A table without rows. Titles may be empty; if all are, no header is shown.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table { title: None, columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    pub fn with_title(mut self, title: impl Into<Markup>) -> Table {
        self.title = Some(title.into());
        self
    }

    /// Adds a row; missing cells are empty, cells beyond the last column are dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Markup>) {
        let mut row: Vec<Markup> = cells.into_iter().take(self.columns.len()).collect();
        row.resize(self.columns.len(), Markup::new());
        self.rows.push(row);
    }

    pub fn has_header(&self) -> bool {
        self.columns.iter().any(|column| !column.title.is_empty())
    }
}
