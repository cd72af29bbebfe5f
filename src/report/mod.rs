//! Output as data: what a front end shows, said by meaning and not by colour.
//!
//! The floors above build a [`Report`] and never draw. A terminal turns it into ANSI, a notebook
//! into HTML ([`Report::to_html`]), a pipe into plain text ([`Report::to_plain`]). Numbers print exactly as NumPy 2
//! prints them: [`format_repr`] and [`format_str`] take only the elements that will be seen, which
//! [`Window::of`] names beforehand, so that a tensor on a device is read back at its edges alone.

mod array;
mod blocks;
mod chart;
mod digits;
pub mod evcxr;
pub mod figure;
mod float;
mod gauge;
mod group;
mod header;
mod heat;
mod html;
mod map;
mod markup;
mod page;
mod plain;
mod portrait;
mod rich;
mod snippet;
mod table;
mod units;
pub mod view;
mod window;
mod wrap;

pub use array::{Elements, format_repr, format_str, repr_of_words, str_of_words};
pub use blocks::{bar, spark};
pub use chart::{Bars, Chart, Heat, Line, Plot};
pub use float::{python_float, scalar_repr, scalar_str};
pub use gauge::{Gauge, Holding};
pub use group::Group;
pub use header::{ArrayReport, Summary};
pub use heat::Color;
pub use html::{VIEW_SCRIPT, embedded, escape, rules};
pub use map::{MapRow, MapRun, MapState, MemoryMap, Moment};
pub use markup::{Markup, Style};
pub use page::Page;
pub use portrait::Portrait;
pub use rich::{Form, Rich};
pub use snippet::excerpt;
pub use table::{Align, Column, Table};
pub use units::{
    counted, human_bytes, human_count, human_duration, human_rate, human_seconds, signed_bytes,
};
pub use window::{FloatMode, PrintOptions, Sign, Stop, Window};

/// One thing to show.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// Running text, tagged by meaning; may hold several lines.
    Text(Markup),
    /// Rows under headers.
    Table(Table),
    /// A tensor: a header and its elements as NumPy prints them.
    Array(ArrayReport),
    /// Segments and the blocks in them.
    Map(MemoryMap),
    /// The memory at a glance.
    Gauge(Gauge),
    /// Something drawn to scale.
    Chart(Chart),
    /// Axes with what a program drew in them.
    Figure(Box<figure::Figure>),
    /// Labels with lines beside them.
    Page(Page),
    /// Several, one under the other.
    Stack(Vec<Report>),
    /// A value that says itself how it is shown.
    Rich(Rich),
    /// A view of a tensor that nobody moves.
    Slides(Box<view::Slides>),
    /// A container whose parts a page shows one by one.
    Group(Group),
}

impl Report {
    /// Text without any tag.
    pub fn plain(text: impl Into<String>) -> Report {
        Report::Text(Markup::new().plain(text))
    }
}

impl From<Markup> for Report {
    fn from(markup: Markup) -> Report {
        Report::Text(markup)
    }
}

impl From<Table> for Report {
    fn from(table: Table) -> Report {
        Report::Table(table)
    }
}

impl From<Chart> for Report {
    fn from(chart: Chart) -> Report {
        Report::Chart(chart)
    }
}

impl From<Page> for Report {
    fn from(page: Page) -> Report {
        Report::Page(page)
    }
}
