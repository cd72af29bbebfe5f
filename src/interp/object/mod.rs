//! What programs make beside lists, tuples and dictionaries: functions, generators, iterators, sets,
//! views, classes and their objects, exceptions, objects of Python's library.

pub mod builtin;
pub mod bytes;
pub mod class;
mod code_view;
mod construct;
pub mod dataclass;
pub mod ends;
pub mod exception;
mod exception_shown;
pub mod file;
pub mod function;
pub mod generator;
mod group;
mod help;
pub mod instance;
pub mod iterator;
pub(super) mod known;
mod lookup;
mod mapping;
pub mod member;
mod meta;
pub mod opaque;
pub(super) mod operate;
pub mod protocol;
pub mod set;
mod store;
mod stream;
pub mod text;
pub mod traceback;
pub mod view;

pub(super) use code_view::{cells_of, code_of};
pub(super) use construct::{about_of, not_none};
