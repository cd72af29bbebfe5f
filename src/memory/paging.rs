//! Memory in pieces, each of which is mapped to wherever its bytes are wanted: what an upstream may
//! have beside whole segments.

use super::upstream::UpstreamError;

/// Memory without an address of its own, as the upstream numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(pub u64);

/// A supplier of addresses and of memory apart from each other.
///
/// All sizes and addresses are multiples of [`page_bytes`](Paging::page_bytes). A piece is mapped
/// whole, to one place at a time. No call waits for work: whoever unmaps has waited for those that
/// use the memory.
pub trait Paging {
    /// The smallest piece, in bytes.
    fn page_bytes(&self) -> usize;

    /// Addresses without memory behind them.
    ///
    /// # Errors
    /// `OutOfMemory` when there are not so many.
    fn reserve(&mut self, bytes: usize) -> Result<u64, UpstreamError>;

    /// Gives addresses of `reserve` back, at which nothing is mapped.
    fn unreserve(&mut self, address: u64, bytes: usize);

    /// Memory, uninitialised and mapped nowhere.
    ///
    /// # Errors
    /// `OutOfMemory` when there is not enough.
    fn create(&mut self, bytes: usize) -> Result<Piece, UpstreamError>;

    /// Gives a piece back that is mapped nowhere.
    fn destroy(&mut self, piece: Piece, bytes: usize);

    /// Puts a piece behind reserved addresses that have none.
    ///
    /// # Errors
    /// The piece is mapped nowhere then.
    fn map(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError>;

    /// Takes a piece away from its addresses; its contents stay.
    ///
    /// # Errors
    /// The piece stays where it is then.
    fn unmap(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError>;

    /// Lets the device read and write addresses behind which pieces were mapped.
    ///
    /// # Errors
    /// They can't be used then, only unmapped.
    fn allow(&mut self, address: u64, bytes: usize) -> Result<(), UpstreamError>;
}
