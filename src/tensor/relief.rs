//! What is asked for memory where an allocation fails and the past has nothing more to give.

use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use super::{Device, Engine, Error, Origin};
use crate::device;
use crate::memory::StatementId;

/// Whoever holds memory that nobody misses, and knows who asks for some. Unlike what allocators ask, which
/// may be on any thread, it is asked by the engine, between two tries of the same work.
pub trait Relief: Debug {
    /// Lets go of something that holds memory of a device; false if there is nothing more.
    fn relieve(&self, device: &Device) -> bool;

    /// Memory has run out, and nobody has more to give; what asked for it still holds what it has made.
    fn refused(&self, device: &Device);

    /// What memory is made for that a node of this origin asks for: a line of a block or of a function, or
    /// the statement that runs.
    fn maker(&self, origin: Origin) -> Option<(StatementId, Arc<str>)>;
}

impl Engine {
    /// Who is asked for memory that an allocation lacks.
    pub fn set_relief(&self, relief: Rc<dyn Relief>) {
        self.relief.replace(Some(relief));
    }

    /// Does something that allocates; where memory runs out, as often as somebody lets go of some. What
    /// has failed must have changed nothing.
    #[inline]
    pub(super) fn with_relief<T>(
        &self,
        device: &Device,
        run: impl FnMut() -> Result<T, device::Error>,
    ) -> Result<T, Error> {
        self.relieved(device, run).map_err(Error::from)
    }

    /// As [`Engine::with_relief`], with the device's own error.
    #[inline]
    pub(super) fn relieved<T>(
        &self,
        device: &Device,
        mut run: impl FnMut() -> Result<T, device::Error>,
    ) -> Result<T, device::Error> {
        loop {
            match run() {
                Err(device::Error::OutOfMemory(_)) if self.relieve(device) => {}
                Err(error @ device::Error::OutOfMemory(_)) => {
                    self.tell_refusal(device);
                    return Err(error);
                }
                result => return result,
            }
        }
    }

    #[cold]
    fn tell_refusal(&self, device: &Device) {
        let relief = self.relief.borrow().clone().filter(|_| !device.is_modelled());
        relief.iter().for_each(|relief| relief.refused(device));
    }

    /// Says what memory is made for from here on, where that is another line than before.
    #[inline]
    pub(super) fn name_maker(&self, origin: Origin) {
        let origin = if origin == Origin::default() { self.origin.get() } else { origin };
        if self.maker.get() != origin {
            self.name_other_maker(origin);
        }
    }

    #[inline(never)]
    fn name_other_maker(&self, origin: Origin) {
        self.maker.set(origin);
        let relief = self.relief.borrow().clone();
        if let Some((id, text)) = relief.and_then(|relief| relief.maker(origin)) {
            self.set_statement(id, &text);
            self.maker.set(origin);
        }
    }

    /// How often somebody has let go of memory.
    pub(super) fn reliefs(&self) -> u64 {
        self.reliefs.get()
    }

    #[cold]
    fn relieve(&self, device: &Device) -> bool {
        let relief = self.relief.borrow().clone().filter(|_| !device.is_modelled());
        let is_relieved = relief.is_some_and(|relief| relief.relieve(device));
        self.reliefs.set(self.reliefs.get() + u64::from(is_relieved));
        is_relieved
    }
}
