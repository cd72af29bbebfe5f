//! Bytes from one device to another, by the shortest way that the two have.

use super::{Error, Storage, WorkKind};

/// Copies `bytes` from one device's storage to another device's; the places count bytes from the
/// storages' beginnings. It is in order with what both devices were given before and are given
/// after it.
///
/// # Errors
/// What went wrong in work that the copy waited for; Ctrl-C.
pub fn transfer(
    (source, start): (&Storage, usize),
    (target, place): (&Storage, usize),
    bytes: usize,
) -> Result<(), Error> {
    assert!(start + bytes <= source.size_bytes(), "a copy past the end of {source:?}");
    assert!(place + bytes <= target.size_bytes(), "a copy past the end of {target:?}");
    if bytes == 0 {
        return Ok(());
    }
    if source.is_modelled() || target.is_modelled() {
        target.device().0.model.copy(bytes);
        return Ok(());
    }
    let (giver, taker) = (source.device().backend(), target.device().backend());
    match (giver.cuda(), taker.cuda()) {
        (Some(giver), Some(taker)) => {
            let name = format!("from {}", source.device().id());
            target.device().noting(WorkKind::Copy, &name, bytes, || {
                taker.copy_from_gpu(giver, (source, start), (target, place), bytes)
            })
        }
        (_, None) => {
            // SAFETY: what is no GPU has its memory in the host's. The range lies in the storage,
            // which no other work uses while this one runs: such devices work before they return.
            let target = unsafe {
                let to = (target.address() as usize + place) as *mut u8;
                std::slice::from_raw_parts_mut(to, bytes)
            };
            giver.copy_to_host(source, start, target)
        }
        (None, Some(_)) => {
            // SAFETY: as above; the storage is only read.
            let source = unsafe {
                let from = (source.address() as usize + start) as *const u8;
                std::slice::from_raw_parts(from, bytes)
            };
            taker.copy_from_host(source, target, place)
        }
    }
}
