//! What went wrong inside a launch, as `kernels/prelude.cuh` reports it.

use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::result::{self, DriverError};

use super::context::{Context, driver_error};
use super::mapped::Mapped;
use crate::device::Error;
use crate::ir::Reg;

/// `struct Fault` of the prelude.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Fault {
    position: u64,
    value: i64,
    extent: i64,
    instr: u32,
    operand: u32,
    kind: u32,
    lock: u32,
    raised: u64,
}

/// The instruction number of what is no instruction: a scatter's index.
pub const NO_INSTR: u32 = u32::MAX;

const NONE: u32 = 0;
const INDEX: u32 = 1;
const DIVISION: u32 = 2;

/// The one fault of a GPU, in its memory, and the word in the host's memory that says to look.
#[derive(Debug)]
pub struct FaultCell {
    address: u64,
    flag: Mapped,
}

impl FaultCell {
    pub(super) fn new() -> Result<FaultCell, DriverError> {
        let flag = Mapped::new(4)?;
        // SAFETY: an allocation of the context's, as large as what is written.
        unsafe {
            let address = result::malloc_sync(size_of::<Fault>())?;
            result::memcpy_htod_sync(address, &[Fault::none(flag.address)])?;
            Ok(FaultCell { address, flag })
        }
    }

    /// For launches that never run.
    pub(super) fn nowhere() -> FaultCell {
        FaultCell { address: 0, flag: Mapped::nowhere() }
    }

    /// For a kernel's `Fault*`.
    pub fn address(&self) -> u64 {
        self.address
    }

    fn flag(&self) -> &AtomicU32 {
        // SAFETY: four aligned bytes that live as long as the cell; the GPU's writes to them are
        // whole words.
        unsafe { &*self.flag.host.0.cast::<AtomicU32>() }
    }
}

impl Drop for FaultCell {
    fn drop(&mut self) {
        if self.address != 0 {
            // SAFETY: an allocation of `new`, freed once, by the context, which has waited for all
            // launches. A refusal means that the driver has ended.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}

impl Fault {
    fn none(raised: u64) -> Fault {
        Fault {
            position: u64::MAX,
            value: 0,
            extent: 0,
            instr: 0,
            operand: 0,
            kind: 0,
            lock: 0,
            raised,
        }
    }
}

impl Context {
    /// Waits for a launch that can fail, and says whether it did.
    ///
    /// # Errors
    /// What the launch reported first, in the order of elements; Ctrl-C; the driver's.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        let waited = self.wait();
        if waited == Err(Error::Interrupted) {
            // The launch may still report: nobody must take that for the next one's.
            let cell = &self.fault;
            // SAFETY: stream order; `Fault` is plain bytes and outlives the copy, which is
            // synchronous for memory that is not pinned.
            let reset = unsafe {
                let fresh = [Fault::none(cell.flag.address)];
                result::memcpy_htod_async(cell.address, &fresh, self.raw_stream())
            };
            reset.map_err(|error| driver_error("clearing a fault failed", error))?;
            cell.flag().store(0, Ordering::Release);
            return waited;
        }
        waited?;
        self.look()
    }

    /// As [`Context::check`], for a launch that writes in place: Ctrl-C takes effect behind it.
    ///
    /// # Errors
    /// As [`Context::check`], but for Ctrl-C.
    pub fn check_write(&self) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        self.wait_to_the_end()?;
        self.look()
    }

    fn look(&self) -> Result<(), Error> {
        match self.fault.flag().load(Ordering::Acquire) {
            0 => Ok(()),
            _ => self.take_fault(),
        }
    }

    #[cold]
    fn take_fault(&self) -> Result<(), Error> {
        let failed = |error| driver_error("reading a fault failed", error);
        let cell = &self.fault;
        let mut found = [Fault::none(cell.flag.address)];
        let fresh = found;
        // SAFETY: the stream is idle, so nobody else touches the fault.
        unsafe {
            result::memcpy_dtoh_sync(&mut found, cell.address).map_err(failed)?;
            result::memcpy_htod_sync(cell.address, &fresh).map_err(failed)?;
            ptr::write_volatile(cell.flag.host.0.cast::<u32>(), 0);
        }
        let [fault] = found;
        let instr = Reg(fault.instr as u16);
        match fault.kind {
            // The flag was of a launch that nobody waited for.
            NONE => Ok(()),
            INDEX => Err(Error::IndexOutOfBounds {
                instr: (fault.instr != NO_INSTR).then_some(instr),
                operand: fault.operand as usize,
                value: fault.value,
                extent: fault.extent as usize,
            }),
            DIVISION => Err(Error::DivisionByZero { instr }),
            _ => Err(Error::NegativeExponent { instr }),
        }
    }
}
