//! Launches that waited leave memory as launches one by one do.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::MOST;
use crate::codegen::row_programs::reduce;
use crate::device::cpu::tests::{Random, bytes, storage};
use crate::device::cuda::trials::Devices;
use crate::device::{Device, Memo, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program, ReduceOp, Space};

/// Elements of each of the two tensors that all launches read and write.
const LEN: usize = 600;

/// A statement of a loop, as it runs again and again: `Space`, and the strides of its operands.
struct Statement {
    program: Program,
    space: Space,
    strides: Vec<Vec<isize>>,
    memo: [Memo; 2],
}

impl Statement {
    fn new(program: Program, dims: &[usize], kept: usize, strides: &[&[isize]]) -> Statement {
        let strides = strides.iter().map(|strides| strides.to_vec()).collect();
        let space = Space { dims: dims.into(), kept };
        Statement { program, space, strides, memo: Default::default() }
    }

    /// How many elements an operand reaches over.
    fn reach(&self, operand: usize) -> usize {
        let walked = self.space.dims.iter().zip(&self.strides[operand]);
        walked.map(|(dim, stride)| (dim - 1) * stride.unsigned_abs()).sum::<usize>() + 1
    }

    /// Each operand is of one of the tensors, from an element on.
    fn run(
        &self,
        which: usize,
        device: &Device,
        tensors: &[Arc<Storage>; 2],
        at: &[(usize, usize)],
    ) {
        let access = |(strides, (_, offset)): (&Vec<isize>, &(usize, usize))| Access {
            offset: *offset,
            strides: strides.as_slice().into(),
            ..Access::default()
        };
        let accesses: Vec<Access> = self.strides.iter().zip(at).map(access).collect();
        let operands = at.iter().map(|(tensor, _)| &*tensors[*tensor]).zip(&accesses);
        let operands: Vec<(&Storage, &Access)> = operands.collect();
        let (inputs, outputs) = operands.split_at(self.program.inputs.len());
        let (memo, program) = (&self.memo[which], &self.program);
        let run = device.backend().run_again(memo, program, &self.space, inputs, outputs);
        run.expect("the statement can't fail");
    }

    /// Places of which an output overlaps an input nowhere or everywhere.
    fn places(&self, random: &mut Random) -> Vec<(usize, usize)> {
        let inputs = self.program.inputs.len();
        loop {
            let place = |operand| (random.below(2), random.below(LEN - self.reach(operand)));
            let at: Vec<(usize, usize)> = (0..self.strides.len()).map(place).collect();
            let clash = |output: usize, input: usize| {
                let ((a, from), (b, other)) = (at[output], at[input]);
                let is_apart =
                    from + self.reach(output) <= other || other + self.reach(input) <= from;
                let is_same = from == other && self.strides[output] == self.strides[input];
                a == b && !is_apart && !is_same
            };
            if (inputs..at.len()).all(|output| (0..inputs).all(|input| !clash(output, input))) {
                return at;
            }
        }
    }
}

fn binary(op: BinaryOp) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(DType::I32), b.input(DType::I32)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let result = b.push(Op::Binary(op, x, y), DType::I32);
    b.output(result, Domain::Element);
    b.finish()
}

fn statements() -> Vec<Statement> {
    let sum = || reduce(ReduceOp::Sum, DType::I32);
    vec![
        Statement::new(binary(BinaryOp::Add), &[5], 1, &[&[1], &[1], &[1]]),
        Statement::new(binary(BinaryOp::Mul), &[3, 4], 2, &[&[7, 1], &[0, 2], &[4, 1]]),
        Statement::new(sum(), &[9], 0, &[&[3], &[0]]),
        Statement::new(sum(), &[2, 6], 1, &[&[8, 1], &[1, 0]]),
        Statement::new(reduce(ReduceOp::Max, DType::I32), &[40], 0, &[&[1], &[0]]),
    ]
}

/// How often kernels for many were launched.
fn launches_of_many(gpu: &Device) -> u64 {
    let kernels = gpu.backend().cuda().expect("it is a GPU").kernel_list();
    kernels.iter().filter(|kernel| kernel.name.ends_with("_many")).map(|it| it.launches).sum()
}

/// Runs a statement over places of its own until its launches wait for each other.
fn warm_up(statement: &Statement, gpu: &Device, tensors: &[Arc<Storage>; 2]) {
    let (begin, before) = (Instant::now(), launches_of_many(gpu));
    let inputs = statement.program.inputs.len();
    while launches_of_many(gpu) == before {
        assert!(begin.elapsed() < Duration::from_secs(60), "never launched as one");
        for turn in 0..MOST {
            let at = (0..statement.strides.len()).map(|operand| match operand < inputs {
                true => (0, 0),
                false => (1, turn * statement.reach(operand) % (LEN - 100)),
            });
            statement.run(1, gpu, tensors, &at.collect::<Vec<_>>());
        }
        sleep(Duration::from_millis(1));
    }
}

fn tensors(device: &Device) -> [Arc<Storage>; 2] {
    [1, 2].map(|seed| {
        let values: Vec<Scalar> =
            (0..LEN).map(|at| Scalar::Int((at * 37 % 101 * seed) as i64)).collect();
        storage(device, DType::I32, &values)
    })
}

#[test]
fn loops_leave_what_launches_one_by_one_leave() {
    let Some(devices) = Devices::find() else { return };
    let [cpu, gpu] = &devices.0;
    let statements = statements();
    let warm = tensors(gpu);
    statements.iter().for_each(|statement| warm_up(statement, gpu, &warm));
    let before = launches_of_many(gpu);
    for seed in 0..40 {
        let random = &mut Random(seed);
        let pair = [tensors(cpu), tensors(gpu)];
        let body: Vec<&Statement> =
            (0..=random.below(3)).map(|_| &statements[random.below(statements.len())]).collect();
        // Some loops walk, and some jump about.
        let walks = random.below(2) == 0;
        for turn in 0..200 {
            for statement in &body {
                let mut at = statement.places(random);
                if walks {
                    let inputs = statement.program.inputs.len();
                    for (operand, at) in at.iter_mut().enumerate() {
                        let reach = statement.reach(operand);
                        *at = (usize::from(operand >= inputs), turn * reach % (LEN - reach));
                    }
                }
                statement.run(0, cpu, &pair[0], &at);
                statement.run(1, gpu, &pair[1], &at);
            }
            if random.below(50) == 0 {
                let which = random.below(2);
                assert_eq!(
                    bytes(&pair[1][which]),
                    bytes(&pair[0][which]),
                    "seed {seed}, turn {turn}"
                );
            }
            if random.below(60) == 0 {
                let (which, from) = (random.below(2), random.below(LEN - 8) * 4);
                let fresh: Vec<u8> = (0..32).map(|_| random.below(4) as u8).collect();
                for [first, second] in &pair {
                    let target = if which == 0 { first } else { second };
                    let copied = target.device().backend().copy_from_host(&fresh, target, from);
                    copied.expect("it fits");
                }
            }
        }
        for (found, expected) in pair[1].iter().zip(&pair[0]) {
            assert_eq!(bytes(found), bytes(expected), "seed {seed}");
        }
    }
    assert!(launches_of_many(gpu) > before + 100, "few were launched as one");
}

#[test]
fn memory_that_is_freed_while_launches_wait_is_written_behind_them() {
    let Some(devices) = Devices::find() else { return };
    let [_, gpu] = &devices.0;
    let sum = &statements()[2];
    let [source, sums] = tensors(gpu);
    warm_up(sum, gpu, &[source, sums.clone()]);
    let ones = vec![Scalar::Int(1); LEN];
    let address = storage(gpu, DType::I32, &ones).address();
    let zeros = vec![Scalar::Int(0); LEN];
    for turn in 0..MOST {
        // The block of one turn's source is the next one's.
        let source = storage(gpu, DType::I32, if turn % 2 == 0 { &ones } else { &zeros });
        assert_eq!(source.address(), address, "another block");
        sum.run(1, gpu, &[source, sums.clone()], &[(0, turn), (1, turn)]);
    }
    let found = bytes(&sums);
    for (turn, word) in found.chunks(4).take(MOST).enumerate() {
        let expected = if turn % 2 == 0 { 9 } else { 0 };
        assert_eq!(word, i32::to_le_bytes(expected), "turn {turn}");
    }
}

#[test]
fn another_stream_comes_behind_what_waits() {
    let Some(devices) = Devices::find() else { return };
    let [_, gpu] = &devices.0;
    let statements = statements();
    let (add, backend) = (&statements[0], gpu.backend());
    let pair = tensors(gpu);
    warm_up(add, gpu, &pair);
    let here = backend.stream();
    let before = bytes(&pair[0]);
    let word = |bytes: &[u8], at: usize| {
        i32::from_le_bytes(bytes[at * 4..][..4].try_into().expect("four bytes"))
    };
    // `a[5:10] = a[:5] + a[:5]`, and on the other stream `a[10:15] = a[5:10] + a[:5]`.
    add.run(1, gpu, &pair, &[(0, 0), (0, 0), (0, 5)]);
    backend.set_stream(crate::memory::StreamId(1)).expect("there are streams");
    add.run(1, gpu, &pair, &[(0, 5), (0, 0), (0, 10)]);
    backend.set_stream(here).expect("it was there");
    let after = bytes(&pair[0]);
    for at in 0..5 {
        assert_eq!(word(&after, 5 + at), word(&before, at) * 2);
        assert_eq!(word(&after, 10 + at), word(&before, at) * 3);
    }
}
