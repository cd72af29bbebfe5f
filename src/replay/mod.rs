//! Traces of memory, replayed under other allocators.
//!
//! A [`Trace`] comes from a file ([`open`]) or from a session's own history ([`of_snapshot`]). It is played
//! through models of allocators ([`Policy`], one table: [`KINDS`]), which have addresses and no memory, so
//! that what ran out on a GPU of 80 GiB can be looked into on a laptop. [`compare()`] puts policies side by
//! side and says what keeps free memory in pieces and which setting would have saved the run; [`report()`]
//! says it to people. [`export`] writes what happened in the formats of tools that people have.

mod blocks;
mod compare;
mod driver;
pub mod export;
mod own;
mod pages;
mod pins;
mod play;
mod policy;
mod pool;
mod pytorch;
mod read;
mod report;
mod trace;

pub use compare::{Advice, Comparison, Moment, Question, compare};
pub use pins::{Free, Pinned};
pub use play::{RanOut, Run, play};
pub use policy::{Choice, Figures, KINDS, Kind, Policy};
pub use pytorch::Settings;
pub use read::{of_snapshot, open, read};
pub use report::report;
pub use trace::{Op, Origin, Peaks, Piece, Recorded, Segment, Site, Sites, Trace};
