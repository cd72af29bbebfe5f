//! Runs programs: `plan` turns one into steps, `direction` and `form` decide how lanes run through the space,
//! and `columns`, `rows`, `batches` or `stacks` walk it block by block. Between the load and the store nothing is ever
//! larger than a block, which stays in the nearest caches.

mod batches;
mod block;
mod buffers;
mod chains;
mod columns;
mod direction;
mod few;
mod form;
mod frame;
mod gather;
mod geometry;
mod groups;
mod kept;
mod kinds;
mod launch;
mod lines;
mod lowering;
mod pattern;
mod plan;
mod products;
mod rows;
mod stacks;
mod steps;
mod together;
mod transpose;
mod ways;
mod wide;
mod workers;

pub(super) use form::{IN_PLACE, WIDE_LANES};
pub use launch::{Executor, Known};

#[cfg(test)]
pub(super) use {
    block::finish_streams,
    columns::{LEAST_SHARED, chunk_points},
    direction::{FEW_ROWS, LEAST_IN_TURN},
    form::{LEAST_LANES, STREAMED},
};

#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[
    super::lanes::NEAR as usize,
    super::lanes::RUN,
    super::fused::LONG_ENOUGH,
    super::fused::SEVERAL,
    super::fused::FILLED,
    gather::SHORTEST_RUN,
    gather::TOGETHER,
    gather::ROWS_AHEAD,
    gather::SHORT_RUN,
    transpose::side(1),
    transpose::side(2),
    transpose::side(8),
    super::lanes::LANES,
    gather::ASKED,
    form::WIDE_LANES,
    form::LANES,
    form::IN_PLACE,
    form::KEEP,
    form::LEAST_KEPT,
    lines::LONG,
    direction::BATCHED_ROW,
    direction::FEW_ROWS,
    direction::FEW_WRITTEN_ROWS,
    direction::LEAST_TOGETHER,
    direction::LEAST_ROWS,
    direction::LEAST_IN_TURN,
    direction::LEAST_SUMMED,
    direction::LEAST_WIDE_ROWS,
    direction::LEAST_BATCHED,
    form::COPIED,
    form::LEAST_LANES,
    together::MOST_ROWS,
    few::FEW_LANES,
    few::FEW_LANES / 2,
    2 * few::FEW_LANES,
    columns::POINTS,
    pattern::LONG_RUN,
    pattern::FEW,
    pattern::FEWEST,
    super::lanes::NARROW_STRIP,
    super::lanes::STRIP,
    super::lanes::WIDE_STRIP,
    super::lanes::ROWS_TOGETHER,
    stacks::SMALL,
    rows::CHUNK,
];
