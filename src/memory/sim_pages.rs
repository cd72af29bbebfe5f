//! Pages of a simulated GPU: strict, and able to fail at any call.

use std::collections::{BTreeMap, HashMap};

use super::paging::{Paging, Piece};
use super::sim::{SimDevice, SimUpstream};
use super::upstream::{Upstream, UpstreamError};

const PAGE: usize = 2 << 20;

/// What is reserved and mapped.
#[derive(Debug, Default)]
pub(super) struct SimPages {
    reserved: BTreeMap<u64, usize>,
    /// By where each piece is mapped.
    mapped: BTreeMap<u64, (Piece, usize)>,
    pieces: HashMap<Piece, usize>,
    last: u64,
    /// How many calls are left until one is refused.
    patience: Option<u64>,
}

impl SimPages {
    fn is_free(&self, address: u64, bytes: usize) -> bool {
        let end = address + bytes as u64;
        let range = self.reserved.range(..=address).next_back();
        let is_reserved = range.is_some_and(|(start, len)| end <= start + *len as u64);
        let last = self.mapped.range(..end).next_back();
        is_reserved && last.is_none_or(|(start, (_, len))| start + *len as u64 <= address)
    }

    fn is_tiled(&self, address: u64, bytes: usize) -> bool {
        let (mut at, end) = (address, address + bytes as u64);
        while let Some((_, len)) = self.mapped.get(&at).filter(|_| at < end) {
            at += *len as u64;
        }
        at == end
    }
}

impl SimDevice {
    /// Counts a call. The one that was to be refused is.
    fn paged(&mut self) -> Result<(), UpstreamError> {
        self.calls.pagings += 1;
        match &mut self.pages.patience {
            Some(0) => {
                self.pages.patience = None;
                self.calls.refusals += 1;
                Err(UpstreamError::OutOfMemory)
            }
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Memory that moves, where there is memory at all.
    fn host(&mut self) -> Option<&mut dyn Paging> {
        self.backing.as_mut().and_then(|host| host.paging())
    }
}

fn misused(what: &str) -> UpstreamError {
    UpstreamError::Failed(format!("a call that no driver takes: {what}"))
}

impl SimUpstream {
    /// Lets `calls` calls about pages through and refuses the next one.
    pub fn refuse_paging_after(&self, calls: u64) {
        self.lock().pages.patience = Some(calls);
    }

    /// Whether a call is still to be refused.
    pub fn will_refuse_paging(&self) -> bool {
        self.lock().pages.patience.is_some()
    }

    /// Which pieces lie behind these addresses, and where each begins.
    pub fn pieces_behind(&self, address: u64, bytes: usize) -> Vec<(u64, Piece)> {
        let device = self.lock();
        let end = address + bytes as u64;
        let mapped = device.pages.mapped.range(..end).rev();
        let mapped = mapped.take_while(|(start, (_, len))| **start + *len as u64 > address);
        mapped.map(|(start, (piece, _))| (*start, *piece)).collect()
    }
}

impl Paging for SimUpstream {
    fn page_bytes(&self) -> usize {
        PAGE
    }

    fn reserve(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        let mut device = self.lock();
        device.paged()?;
        let address = match device.host() {
            Some(host) => host.reserve(bytes)?,
            None => device.addresses(bytes, PAGE as u64)?,
        };
        device.pages.reserved.insert(address, bytes);
        Ok(address)
    }

    fn unreserve(&mut self, address: u64, bytes: usize) {
        let mut device = self.lock();
        device.calls.pagings += 1;
        if device.pages.reserved.get(&address) == Some(&bytes) {
            device.pages.reserved.remove(&address);
            if let Some(host) = device.host() {
                host.unreserve(address, bytes);
            }
        }
    }

    fn create(&mut self, bytes: usize) -> Result<Piece, UpstreamError> {
        let mut device = self.lock();
        device.paged()?;
        if let Some(reason) = device.failures.pop() {
            return Err(UpstreamError::Failed(reason));
        }
        if bytes == 0 || !bytes.is_multiple_of(PAGE) {
            return Err(misused("a piece that is no whole pages"));
        }
        if bytes > device.capacity - device.used {
            device.calls.refusals += 1;
            return Err(UpstreamError::OutOfMemory);
        }
        let piece = match device.host() {
            Some(host) => host.create(bytes)?,
            None => {
                device.pages.last += 1;
                Piece(device.pages.last)
            }
        };
        device.used += bytes;
        device.pages.pieces.insert(piece, bytes);
        Ok(piece)
    }

    fn destroy(&mut self, piece: Piece, bytes: usize) {
        let mut device = self.lock();
        device.calls.pagings += 1;
        let is_mapped = device.pages.mapped.values().any(|(other, _)| *other == piece);
        if !is_mapped && device.pages.pieces.get(&piece) == Some(&bytes) {
            device.pages.pieces.remove(&piece);
            device.used -= bytes;
            if let Some(host) = device.host() {
                host.destroy(piece, bytes);
            }
        }
    }

    fn map(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        let mut device = self.lock();
        device.paged()?;
        let pages = &device.pages;
        if pages.pieces.get(&piece) != Some(&bytes) || !pages.is_free(address, bytes) {
            return Err(misused("what is mapped is no piece, or its place is not free"));
        }
        if let Some(host) = device.host() {
            host.map(piece, address, bytes)?;
        }
        device.pages.mapped.insert(address, (piece, bytes));
        Ok(())
    }

    fn unmap(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        let mut device = self.lock();
        device.paged()?;
        if device.pages.mapped.get(&address) != Some(&(piece, bytes)) {
            return Err(misused("what is unmapped is not mapped there"));
        }
        if let Some(host) = device.host() {
            host.unmap(piece, address, bytes)?;
        }
        device.pages.mapped.remove(&address);
        Ok(())
    }

    fn allow(&mut self, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        let mut device = self.lock();
        device.paged()?;
        if !device.pages.is_tiled(address, bytes) {
            return Err(misused("access to addresses without memory"));
        }
        Ok(())
    }
}
