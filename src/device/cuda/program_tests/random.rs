//! Random programs over random spaces and layouts, as the CPU's own test has them.

use super::Trial;
use crate::device::cpu::tests::random_programs::{case, values};
use crate::device::cpu::tests::{Random, storage};
use crate::device::cuda::trials::Devices;

/// How many programs; each is compiled.
const PROGRAMS: u64 = 60;

#[test]
fn random_programs_agree_with_the_reference() {
    let Some(devices) = Devices::find() else { return };
    for seed in 0..PROGRAMS {
        let mut random = Random(seed);
        let case = case(&mut random);
        let dtypes = &case.program.inputs;
        let inputs = dtypes
            .iter()
            .zip(&case.lens)
            .map(|(dtype, len)| storage(&devices.0[0], *dtype, &values(&mut random, *dtype, *len)));
        let inputs: Vec<_> = inputs.collect();
        let lens = case.lens[inputs.len()..].to_vec();
        let trial = Trial {
            program: case.program,
            space: case.space,
            accesses: case.accesses,
            inputs,
            lens,
        };
        trial.check(&devices, &format!("seed {seed}"), 0.0);
    }
}
