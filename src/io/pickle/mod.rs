//! Pickles, read as data: no code is ever run.
//!
//! A pickle is a program for a small machine with a stack. Here it builds nodes, each with the numbers of
//! those in it, and what Python would call stays a node that says what was to be called with what. Every
//! step takes at least a byte of the file and makes one node at the most, nothing is nested in the native
//! stack, and nodes that hold each other are numbers and no trouble. The names of what may be called come
//! from the format above; any other ends the reading.

mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::read;
pub use write::Writer;

/// The number of a node.
pub type Id = u32;

/// A part of what was pickled. A tuple's and a call's parts were there before it: their numbers are smaller.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    None,
    Bool(bool),
    Int(i64),
    /// A whole number that 64 bits do not hold: its bytes, the least first.
    Long(Box<[u8]>),
    Float(f64),
    Text(Box<str>),
    Bytes(Box<[u8]>),
    List(Vec<Id>),
    Tuple(Box<[Id]>),
    Dict(Vec<(Id, Id)>),
    Set(Vec<Id>),
    Frozen(Box<[Id]>),
    /// A function or a class, by its module and name with a dot between them.
    Global(Box<str>),
    Call(Box<Call>),
    /// What the file keeps elsewhere, under this name.
    Persistent(Id),
}

/// What a call would make, and what would be put into that.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub function: Id,
    /// A tuple.
    pub arguments: Id,
    pub state: Option<Id>,
    pub items: Vec<Id>,
    pub pairs: Vec<(Id, Id)>,
}

/// All nodes, and which of them is the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Pickle {
    pub nodes: Vec<Node>,
    pub root: Id,
    /// Bytes that were read.
    pub length: usize,
}

impl Pickle {
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The name of a function or a class; empty for any other node.
    pub fn global(&self, id: Id) -> &str {
        match self.node(id) {
            Node::Global(name) => name,
            _ => "",
        }
    }

    pub fn tuple(&self, id: Id) -> Option<&[Id]> {
        match self.node(id) {
            Node::Tuple(items) => Some(items),
            _ => None,
        }
    }

    pub fn text(&self, id: Id) -> Option<&str> {
        match self.node(id) {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn int(&self, id: Id) -> Option<i64> {
        match self.node(id) {
            Node::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub fn count(&self, id: Id) -> Option<u64> {
        self.int(id).and_then(|number| u64::try_from(number).ok())
    }
}
