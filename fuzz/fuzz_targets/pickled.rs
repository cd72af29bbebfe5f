//! Files of PyTorch's: any bytes are read or refused.
#![no_main]

#[path = "../walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| walk::pickled(bytes));
