//! Signatures that came already. Whoever records a signed message can send it again without knowing
//! the key; as in Jupyter's own kernels, a signature is good once.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Signatures that are remembered, as many as `jupyter_client` remembers.
const MOST: usize = 1 << 16;

/// Shared by all channels: a message is no newer on another one.
#[derive(Debug, Clone, Default)]
pub struct Signatures(Arc<Mutex<Recent>>);

#[derive(Debug, Default)]
struct Recent {
    known: HashSet<Arc<[u8]>>,
    /// The oldest first.
    order: VecDeque<Arc<[u8]>>,
}

impl Signatures {
    /// Notes a signature. False if it is known.
    pub fn note(&self, signature: &[u8]) -> bool {
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let signature: Arc<[u8]> = signature.into();
        if !recent.known.insert(signature.clone()) {
            return false;
        }
        recent.order.push_back(signature);
        if recent.order.len() > MOST
            && let Some(oldest) = recent.order.pop_front()
        {
            recent.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_good_once() {
        let signatures = Signatures::default();
        let other_channel = signatures.clone();
        assert!(signatures.note(b"a") && signatures.note(b"b"));
        assert!(!signatures.note(b"a") && !other_channel.note(b"b"));
    }

    #[test]
    fn memory_stays_bounded() {
        let signatures = Signatures::default();
        for number in 0..MOST + 10 {
            assert!(signatures.note(&number.to_le_bytes()));
        }
        assert_eq!(signatures.0.lock().unwrap().known.len(), MOST);
        assert!(!signatures.note(&20usize.to_le_bytes()));
        assert!(signatures.note(&3usize.to_le_bytes()), "forgotten");
    }
}
