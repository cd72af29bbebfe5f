//! Generated kernels against the reference evaluator: random programs, every operation, and
//! launches of each form.

mod maps;
mod operations;
mod random;
mod rows;

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::run::operand;
use super::trials::Devices;
use crate::codegen::{self, Chip, Form};
use crate::device::cpu::reference;
use crate::device::cpu::tests::{bytes, elements, storage};
use crate::device::{Device, Error, Storage};
use crate::dtype::{DType, Kind, Scalar};
use crate::ir::{Access, Program, Space};

/// More than any map has.
const CHOICES: u8 = 6;

/// More than any program with rows has.
const MAX_WAYS: u8 = 10;

/// A launch's operands on the CPU, for the reference.
struct Trial {
    program: Program,
    space: Space,
    accesses: Vec<Access>,
    inputs: Vec<Arc<Storage>>,
    /// Elements of each output's storage.
    lens: Vec<usize>,
}

/// What a device gave: the outputs' bytes, or an error.
type Outcome = Result<Vec<Arc<Storage>>, Error>;

impl Trial {
    /// Runs on the reference.
    fn expected(&self, cpu: &Device) -> Outcome {
        self.run(&self.inputs, cpu, |program, space, inputs, outputs| {
            reference::run(program, space, inputs, outputs)
        })
    }

    /// Runs on a GPU, over copies of the operands.
    fn found(&self, gpu: &Device) -> Outcome {
        let copies: Vec<Arc<Storage>> =
            self.inputs.iter().map(|input| copy_to(gpu, input)).collect();
        self.run(&copies, gpu, |program, space, inputs, outputs| {
            gpu.backend().run(program, space, inputs, outputs)?;
            gpu.backend().synchronize()
        })
    }

    fn run(
        &self,
        inputs: &[Arc<Storage>],
        device: &Device,
        run: impl Fn(
            &Program,
            &Space,
            &[(&Storage, &Access)],
            &[(&Storage, &Access)],
        ) -> Result<(), Error>,
    ) -> Outcome {
        let outputs: Vec<Arc<Storage>> = (0..self.lens.len())
            .map(|output| {
                let filler = vec![Scalar::Int(1); self.lens[output]];
                storage(device, self.program.output_dtype(output), &filler)
            })
            .collect();
        let (input_accesses, output_accesses) = self.accesses.split_at(inputs.len());
        let with = |storages: &'_ [Arc<Storage>]| -> Vec<Arc<Storage>> { storages.to_vec() };
        let (given, targets) = (with(inputs), with(&outputs));
        let given: Vec<_> = given.iter().map(|storage| &**storage).zip(input_accesses).collect();
        let targets: Vec<_> =
            targets.iter().map(|storage| &**storage).zip(output_accesses).collect();
        run(&self.program, &self.space, &given, &targets)?;
        Ok(outputs)
    }

    /// Both devices give equal values, or within `tolerance` of them, relative.
    #[track_caller]
    fn check(&self, devices: &Devices, name: &str, tolerance: f64) {
        let [cpu, gpu] = &devices.0;
        let (expected, found) = (self.expected(cpu), self.found(gpu));
        let case = || format!("{name}\n{:?} {:?}\n{}", self.space, self.accesses, self.program);
        let (expected, found) = match (expected, found) {
            (Ok(expected), Ok(found)) => (expected, found),
            (expected, found) => {
                let [expected, found] = [expected, found].map(|outcome| outcome.err());
                return assert_eq!(found, expected, "{}", case());
            }
        };
        self.compare(&found, &expected, tolerance, case);
        for choice in 0..CHOICES {
            if let Some(found) = self.found_with(gpu, choice) {
                let case = || format!("choice {choice} of {}", case());
                self.compare(&found, &expected, tolerance, case);
            }
        }
    }

    /// Runs a map as a large chip would run a larger one. None where the program has rows, or has
    /// no such choice.
    fn found_with(&self, gpu: &Device, choice: u8) -> Option<Vec<Arc<Storage>>> {
        if self.program.has_reduce() {
            return None;
        }
        let cuda = gpu.backend().cuda().expect("it is a GPU");
        // Nothing is too small for a chip without multiprocessors.
        let chip = Chip { multiprocessors: 0, ..cuda.context.chip };
        let copies: Vec<Arc<Storage>> =
            self.inputs.iter().map(|input| copy_to(gpu, input)).collect();
        let has_choice = Cell::new(true);
        let outcome = self.run(&copies, gpu, |program, space, inputs, outputs| {
            let [inputs, outputs] =
                [inputs, outputs].map(|of| of.iter().map(operand).collect::<Vec<_>>());
            let mut job = codegen::plan(program, space, &inputs, &outputs, &chip, choice);
            has_choice.set(choice < job.choices);
            if !has_choice.get() {
                return Ok(());
            }
            let mut hasher = FxHasher::default();
            program.hash(&mut hasher);
            cuda.runner.launch(&cuda.context, program, hasher.finish(), &mut job, gpu, 0)?;
            cuda.context.check()
        });
        has_choice.get().then(|| outcome.expect("it went well before"))
    }

    /// As `check`, and in every way that a plan for some chip may choose, for a program with rows.
    #[track_caller]
    fn check_ways(&self, devices: &Devices, name: &str, tolerance: f64) {
        self.check(devices, name, tolerance);
        let [cpu, gpu] = &devices.0;
        let expected = self.expected(cpu).expect("it went well before");
        let mut known = Vec::new();
        for way in 0..MAX_WAYS {
            let Some(found) = self.found_by(gpu, way, &mut known) else { continue };
            let case = || format!("way {way} of {name}: {:?}\n{}", self.space, self.program);
            self.compare(&found, &expected, tolerance, case);
        }
    }

    /// Runs one way of a program with rows, if it is not known already.
    fn found_by(
        &self,
        gpu: &Device,
        way: u8,
        known: &mut Vec<Vec<Form>>,
    ) -> Option<Vec<Arc<Storage>>> {
        let cuda = gpu.backend().cuda().expect("it is a GPU");
        let copies: Vec<Arc<Storage>> =
            self.inputs.iter().map(|input| copy_to(gpu, input)).collect();
        let known = RefCell::new(known);
        let is_new = Cell::new(true);
        let outcome = self.run(&copies, gpu, |program, space, inputs, outputs| {
            let [inputs, outputs] =
                [inputs, outputs].map(|of| of.iter().map(operand).collect::<Vec<_>>());
            let chip = cuda.context.chip;
            let mut job = codegen::plan(program, space, &inputs, &outputs, &chip, way);
            let forms = job.launches.iter().map(|launch| launch.form.clone()).collect();
            is_new.set(!known.borrow().contains(&forms));
            if !is_new.get() {
                return Ok(());
            }
            known.borrow_mut().push(forms);
            let mut hasher = FxHasher::default();
            program.hash(&mut hasher);
            cuda.runner.launch(&cuda.context, program, hasher.finish(), &mut job, gpu, 0)?;
            cuda.context.check()
        });
        is_new.get().then(|| outcome.expect("it went well before"))
    }

    #[track_caller]
    fn compare(
        &self,
        found: &[Arc<Storage>],
        expected: &[Arc<Storage>],
        tolerance: f64,
        case: impl Fn() -> String,
    ) {
        for (output, (found, expected)) in found.iter().zip(expected).enumerate() {
            let pairs = elements(found).into_iter().zip(elements(expected));
            for (at, (found, expected)) in pairs.enumerate() {
                assert!(
                    is_near(found, expected, tolerance),
                    "output {output}, element {at}: expected {expected:?}, found {found:?}\n{}",
                    case()
                );
            }
        }
    }
}

/// Integers are near when they are equal.
fn is_near(found: Scalar, expected: Scalar, tolerance: f64) -> bool {
    match (found, expected) {
        (Scalar::Float(found), Scalar::Float(expected)) => {
            found == expected
                || found.is_nan() && expected.is_nan()
                || (found - expected).abs() <= tolerance * expected.abs()
        }
        _ => found == expected,
    }
}

/// The storage itself if it lies there.
fn copy_to(device: &Device, from: &Arc<Storage>) -> Arc<Storage> {
    if from.device() == device {
        return from.clone();
    }
    let copy = storage(device, from.dtype(), &vec![Scalar::Int(0); from.len()]);
    device.backend().copy_from_host(&bytes(from), &copy, 0).expect("as long as the copy");
    copy
}

/// A trial whose outputs are dense.
fn dense_trial(program: Program, dims: &[usize], inputs: Vec<(Arc<Storage>, Access)>) -> Trial {
    let space = Space { dims: dims.into(), kept: dims.len() };
    let dense = crate::device::cpu::tests::dense(&space);
    let (inputs, mut accesses): (Vec<_>, Vec<_>) = inputs.into_iter().unzip();
    accesses.extend(program.outputs.iter().map(|_| dense.clone()));
    let lens = program.outputs.iter().map(|_| space.rows()).collect();
    Trial { program, space, accesses, inputs, lens }
}

fn access(offset: usize, strides: &[isize]) -> Access {
    Access { offset, strides: strides.into(), ..Access::default() }
}

/// Numbers that an element of the type holds, small and different from their neighbours'.
fn numbers(dtype: DType, len: usize) -> Vec<Scalar> {
    let number =
        |at: usize| (at * 37 % 101) as i64 - if dtype.kind() == Kind::Unsigned { 0 } else { 50 };
    (0..len).map(|at| Scalar::Int(number(at))).collect()
}
