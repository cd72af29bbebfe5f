//! Writes the kernels of some programs, in every way that `codegen` knows, into a folder: for each way a file `NAME.WAY.job` and the kernels' texts. tests/kernels/time_ways.py
//! runs and times them on a GPU.

mod maps;
mod reductions;

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

use genesis_repl::codegen::{self, Chip, Job, Operand};
use genesis_repl::dtype::DType;
use genesis_repl::ir::{Access, Builder, Domain, Op, Program, Reg, Space};

const PRELUDE: &str = include_str!("../../kernels/prelude.cuh");

/// More ways than this has no program.
const MAX_WAYS: u8 = 12;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let [_, folder, multiprocessors @ ..] = arguments.as_slice() else {
        return Err(io::Error::other("usage: kernel_ways FOLDER [MULTIPROCESSORS]"));
    };
    let multiprocessors = multiprocessors.first().and_then(|count| count.parse().ok());
    let multiprocessors = multiprocessors.unwrap_or(132);
    let chip = Chip { multiprocessors, threads: 2048, shared: 227 << 10 };
    fs::create_dir_all(folder)?;
    for case in maps::cases().into_iter().chain(reductions::cases()) {
        let mut known: Vec<Job> = Vec::new();
        for way in 0..MAX_WAYS {
            let job = case.plan(&chip, way);
            if known.contains(&job) {
                continue;
            }
            case.write(Path::new(folder), way, &job)?;
            known.push(job);
        }
    }
    Ok(())
}

struct Case {
    name: &'static str,
    program: Program,
    space: Space,
    /// Inputs, then outputs.
    accesses: Vec<Access>,
}

impl Case {
    fn dtypes(&self) -> Vec<DType> {
        let outputs = (0..self.program.outputs.len()).map(|at| self.program.output_dtype(at));
        self.program.inputs.iter().copied().chain(outputs).collect()
    }

    /// What the numbers of an operand must stay below: where they are indices, the extent.
    fn bound(&self, operand: usize) -> usize {
        let is_load = |reg: &Reg| match self.program.instr(*reg).op {
            Op::Load { input } => input as usize == operand,
            _ => false,
        };
        let extents = self.program.instrs.iter().filter_map(|instr| match &instr.op {
            Op::Gather { input, indices } => {
                let position = indices.iter().position(is_load)?;
                Some(self.accesses[*input as usize].gathered[position].0)
            }
            _ => None,
        });
        extents.min().unwrap_or(100)
    }

    fn plan(&self, chip: &Chip, way: u8) -> Job {
        let dtypes = self.dtypes();
        let operands: Vec<Operand<'_>> = dtypes
            .iter()
            .zip(&self.accesses)
            .map(|(dtype, access)| Operand {
                dtype: *dtype,
                address: 1 << 30,
                len: usize::MAX,
                access,
            })
            .collect();
        let (inputs, outputs) = operands.split_at(self.program.inputs.len());
        codegen::plan(&self.program, &self.space, inputs, outputs, chip, way)
    }

    fn write(&self, folder: &Path, way: u8, job: &Job) -> io::Result<()> {
        let mut text = String::new();
        let mut line = |words: std::fmt::Arguments<'_>| {
            writeln!(text, "{words}").expect("a String takes everything");
        };
        for (number, (dtype, access)) in self.dtypes().iter().zip(&self.accesses).enumerate() {
            let walked = self.space.dims.iter().zip(&access.strides);
            let gathered = access.gathered.iter().map(|(extent, stride)| (extent, stride));
            let last: usize = walked
                .chain(gathered)
                .map(|(extent, stride)| (extent - 1) * stride.unsigned_abs())
                .sum();
            let kind = if number < self.program.inputs.len() { "input" } else { "output" };
            line(format_args!("{kind} {dtype} {} {}", last + 1, self.bound(number)));
        }
        line(format_args!("scratch {}", job.scratch));
        for (number, launch) in job.launches.iter().enumerate() {
            let rendered = codegen::render(&self.program, &launch.form);
            let file = format!("{}.{way}.{number}.cu", self.name);
            fs::write(folder.join(&file), format!("{PRELUDE}\n{}", rendered.source))?;
            let [x, y, z] = launch.grid;
            let params: String = launch.params.iter().map(|byte| format!("{byte:02x}")).collect();
            let (name, block, shared) = (rendered.name, launch.block, launch.shared);
            line(format_args!("launch {file} {name} {x} {y} {z} {block} {shared} {params}"));
        }
        fs::write(folder.join(format!("{}.{way}.job", self.name)), text)
    }
}

fn dense(dims: &[usize], axes: std::ops::Range<usize>) -> Vec<isize> {
    let mut strides = vec![0; dims.len()];
    let mut next = 1;
    for axis in axes.rev() {
        strides[axis] = next;
        next *= dims[axis] as isize;
    }
    strides
}

/// A case whose inputs lie as `inputs` says; those of which nothing is said, and outputs of elements,
/// as the first does.
fn case(
    name: &'static str,
    program: Program,
    dims: &[usize],
    kept: usize,
    inputs: &[&[isize]],
) -> Case {
    let all = inputs.first().map_or(dense(dims, 0..dims.len()), |first| first.to_vec());
    let of_input = |number: usize| inputs.get(number).map_or(all.clone(), |s| s.to_vec());
    let reads = (0..program.inputs.len()).map(of_input);
    let writes = program.outputs.iter().map(|output| match output.domain {
        Domain::Row => dense(dims, 0..kept),
        Domain::Element => all.clone(),
    });
    let accesses = reads.chain(writes).map(access).collect();
    Case { name, program, space: Space { dims: dims.into(), kept }, accesses }
}

fn access(strides: Vec<isize>) -> Access {
    Access { strides: strides.as_slice().into(), ..Access::default() }
}

fn input(b: &mut Builder, dtype: DType) -> Reg {
    let input = b.input(dtype);
    b.load(input, Domain::Element)
}
