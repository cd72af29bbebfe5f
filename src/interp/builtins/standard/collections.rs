//! `collections`: dictionaries with something added, and queues.

mod counter;
mod deque;
mod dicts;

pub use counter::BUILTINS as COUNTER;
pub use deque::BUILTINS as DEQUE;
pub use dicts::BUILTINS as DICTS;
