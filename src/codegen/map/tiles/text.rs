//! The text of the form `tiles`.

use smallvec::SmallVec;

use super::{Reach, THREADS, TilesForm, fields, pitch};
use crate::codegen::body::{Body, Leaves};
use crate::codegen::code::Code;
use crate::codegen::index::offset;
use crate::codegen::map::kernel::Kernel;
use crate::codegen::map::params_text;
use crate::codegen::names;
use crate::codegen::params::head;
use crate::ir::{Op, Reg};

pub fn render(kernel: &Kernel<'_>, form: &TilesForm, entry: &str) -> String {
    let mut code = Code::new();
    code.lines(&params_text(|text| fields(kernel, form, None, text)));
    code.line("");
    code.open(head(THREADS, entry));
    let needed = Body::new(kernel.program).missing(kernel.results());
    Frame { kernel, form, needed }.whole(&mut code);
    code.close();
    code.finish()
}

struct Frame<'a> {
    kernel: &'a Kernel<'a>,
    form: &'a TilesForm,
    /// The instructions that the outputs need.
    needed: Vec<Reg>,
}

struct Here<'a>(&'a Frame<'a>);

impl Leaves for Here<'_> {
    fn load(&mut self, input: u16) -> String {
        let TilesForm { lanes, across, .. } = *self.0.form;
        let last = self.0.form.last();
        let lane = if lanes > 1 { " + e" } else { "" };
        match self.0.form.operands[input as usize].reach {
            Reach::Once => format!("*p.in{input}"),
            Reach::Turned => format!("tile{input}[s{last}{lane}][s{across}]"),
            Reach::Same => format!("in{input}[k]"),
            _ if lanes > 1 => format!("in{input}[k].at[e]"),
            _ => format!("in{input}[k]"),
        }
    }

    fn gather(&mut self, _: u16, _: &[String]) -> String {
        unreachable!("programs with gathers have another form")
    }

    fn iota(&mut self, axis: u8) -> String {
        let form = self.0.form;
        let lane = if axis as usize == form.last() && form.lanes > 1 { " + e" } else { "" };
        format!("p.start{axis} + c{axis}{lane}")
    }

    fn position(&mut self) -> String {
        unreachable!("programs that can fail have another form")
    }
}

impl Frame<'_> {
    fn whole(&self, code: &mut Code) {
        let mut body = Body::new(self.kernel.program);
        let is_once = |reg: &&Reg| match self.kernel.program.instr(**reg).op {
            Op::Load { input } => self.form.operands[input as usize].reach == Reach::Once,
            _ => false,
        };
        for reg in self.needed.iter().filter(is_once) {
            body.emit(code, *reg, &mut Here(self));
        }
        self.begin(code);
        self.turn(code);
        self.load(code);
        code.line("__syncthreads();");
        self.compute(code, body);
    }

    fn of_reach(&self, wanted: impl Fn(Reach) -> bool) -> Vec<usize> {
        let is_loaded = |input: &usize| {
            self.needed.iter().any(|reg| match self.kernel.program.instr(*reg).op {
                Op::Load { input: own } => own as usize == *input,
                _ => false,
            })
        };
        let inputs = 0..self.kernel.inputs();
        inputs.filter(|input| wanted(self.form.operands[*input].reach)).filter(is_loaded).collect()
    }

    fn turned(&self) -> Vec<usize> {
        self.of_reach(|reach| reach == Reach::Turned)
    }

    /// Where the block's tile lies.
    fn begin(&self, code: &mut Code) {
        let across = self.form.across;
        let last = self.form.last();
        let [of_across, of_last] = [across as usize, last].map(|axis| self.form.side(axis));
        for input in self.turned() {
            let dtype = self.kernel.dtype(input);
            let (ty, pitch) = (names::stored(dtype), pitch(of_across, dtype.size()));
            code.line(format_args!("__shared__ {ty} tile{input}[{of_last}][{pitch}];"));
        }
        let mut rest = "blockIdx.x".to_string();
        for axis in [last, across as usize] {
            code.line(format_args!("u32 n{axis} = divide({rest}, p.tiles{axis});"));
            code.line(format_args!(
                "u32 b{axis} = ({rest} - n{axis} * p.tiles{axis}.value) * {};",
                self.form.side(axis)
            ));
            rest = format!("n{axis}");
        }
        let outer: Vec<usize> = self.form.outer().collect();
        for (at, axis) in outer.iter().enumerate().rev() {
            if at == 0 {
                code.line(format_args!("u32 c{axis} = {rest};"));
            } else {
                code.line(format_args!("u32 n{axis} = divide({rest}, p.dim{axis});"));
                code.line(format_args!("u32 c{axis} = {rest} - n{axis} * p.dim{axis}.value;"));
                rest = format!("n{axis}");
            }
        }
    }

    /// Runs over a tile in packs of `lanes` along the axis `along`.
    fn over_tile(&self, code: &mut Code, along: usize, lanes: u8, inside: impl FnOnce(&mut Code)) {
        let other = self.form.last() + self.form.across as usize - along;
        let row = self.form.side(along) / lanes as usize;
        let packs = row * self.form.side(other);
        code.line("#pragma unroll");
        code.open(format_args!("for (u32 k = 0; k < {}; k++)", packs.div_ceil(THREADS)));
        let scale = if lanes == 1 { String::new() } else { format!(" * {lanes}") };
        code.line(format_args!("u32 q = threadIdx.x + k * {THREADS};"));
        if !packs.is_multiple_of(THREADS) {
            code.line(format_args!("if (q >= {packs}) continue;"));
        }
        code.line(format_args!("u32 s{along} = q % {row}{scale}, s{other} = q / {row};"));
        inside(code);
        code.close();
    }

    fn passes(&self, lanes: u8) -> usize {
        let points: usize = self.form.sides.iter().map(|side| *side as usize).product();
        (points / lanes as usize).div_ceil(THREADS)
    }

    /// The coordinates of the point, and whether it is outside of the space.
    fn coordinates(&self, code: &mut Code) -> String {
        let (last, across) = (self.form.last(), self.form.across);
        let [first, second] = [last.min(across as usize), last.max(across as usize)];
        code.line(format_args!(
            "u32 c{first} = b{first} + s{first}, c{second} = b{second} + s{second};"
        ));
        format!("c{first} >= p.extent{first} || c{second} >= p.extent{second}")
    }

    /// The place of an operand at the point; of lane `e` of the pack there.
    fn place(&self, operand: usize, of_lane: bool) -> String {
        let (kind, number) = self.kernel.name(operand);
        let names: Vec<String> = (0..self.form.rank as usize)
            .map(|axis| match of_lane && axis == self.form.last() {
                true => format!("(c{axis} + e)"),
                false => format!("c{axis}"),
            })
            .collect();
        let steps = self.form.operands[operand].steps.iter().enumerate();
        let terms = steps.map(|(axis, step)| {
            (*step, names[axis].as_str(), format!("p.{kind}{number}_step{axis}"))
        });
        offset(self.form.wide, terms)
    }

    /// Reads the turned operands along their own rows and writes them to shared memory.
    fn turn(&self, code: &mut Code) {
        let TilesForm { across, turned_lanes: lanes, .. } = *self.form;
        let last = self.form.last();
        let turned = self.turned();
        for input in &turned {
            let ty = names::stored(self.kernel.dtype(*input));
            self.declare(code, ty, *input, lanes);
        }
        self.over_tile(code, across as usize, lanes, |code| {
            let outside = self.coordinates(code);
            code.line(format_args!("if ({outside}) continue;"));
            for input in &turned {
                self.load_whole(code, *input, lanes);
            }
        });
        self.over_tile(code, across as usize, lanes, |code| {
            let shared = |input: usize, lane: &str, value: &str| {
                format!("tile{input}[s{last}][s{across}{lane}] = in{input}[k]{value};")
            };
            for input in &turned {
                match lanes {
                    1 => code.line(shared(*input, "", "")),
                    _ => {
                        code.line("#pragma unroll");
                        code.open(format_args!("for (u32 e = 0; e < {lanes}; e++)"));
                        code.line(shared(*input, " + e", ".at[e]"));
                        code.close();
                    }
                }
            }
        });
    }

    fn declare(&self, code: &mut Code, ty: &str, input: usize, lanes: u8) {
        let passes = self.passes(if lanes == 0 { self.form.lanes } else { lanes });
        match lanes {
            0 | 1 => code.line(format_args!("{ty} in{input}[{passes}];")),
            _ => code.line(format_args!("Pack<{ty}, {lanes}> in{input}[{passes}];")),
        }
    }

    fn load_whole(&self, code: &mut Code, input: usize, lanes: u8) {
        let place = self.place(input, false);
        match lanes {
            1 => code.line(format_args!("in{input}[k] = p.in{input}[{place}];")),
            _ => code.line(format_args!("in{input}[k] = load<{lanes}>(p.in{input} + {place});")),
        }
    }

    /// Reads the other operands along the output's rows.
    fn load(&self, code: &mut Code) {
        let lanes = self.form.lanes;
        let straight = self.of_reach(|reach| !matches!(reach, Reach::Once | Reach::Turned));
        if straight.is_empty() {
            return;
        }
        for input in &straight {
            let ty = names::stored(self.kernel.dtype(*input));
            let is_one = self.form.operands[*input].reach == Reach::Same;
            self.declare(code, ty, *input, if is_one { 0 } else { lanes });
        }
        self.over_tile(code, self.form.last(), lanes, |code| {
            let outside = self.coordinates(code);
            code.line(format_args!("if ({outside}) continue;"));
            for input in &straight {
                match self.form.operands[*input].reach {
                    Reach::Same => self.load_whole(code, *input, 1),
                    Reach::Each if lanes > 1 => {
                        code.line("#pragma unroll");
                        code.open(format_args!("for (u32 e = 0; e < {lanes}; e++)"));
                        let place = self.place(*input, true);
                        code.line(format_args!("in{input}[k].at[e] = p.in{input}[{place}];"));
                        code.close();
                    }
                    _ => self.load_whole(code, *input, lanes),
                }
            }
        });
    }

    fn compute(&self, code: &mut Code, mut body: Body<'_>) {
        let lanes = self.form.lanes;
        let results: SmallVec<[Reg; 2]> = self.kernel.results().collect();
        self.over_tile(code, self.form.last(), lanes, |code| {
            let outside = self.coordinates(code);
            code.line(format_args!("if ({outside}) continue;"));
            if lanes > 1 {
                for (output, reg) in results.iter().enumerate() {
                    let ty = names::stored(self.kernel.program.instr(*reg).dtype);
                    code.line(format_args!("Pack<{ty}, {lanes}> out{output};"));
                }
                code.line("#pragma unroll");
                code.open(format_args!("for (u32 e = 0; e < {lanes}; e++)"));
            }
            body.compute(code, results.iter().copied(), &mut Here(self));
            for (output, reg) in results.iter().enumerate() {
                let dtype = self.kernel.program.instr(*reg).dtype;
                let value = names::to_stored(dtype, body.name(*reg));
                match lanes {
                    1 => {
                        let place = self.place(self.kernel.inputs() + output, false);
                        code.line(format_args!("p.out{output}[{place}] = {value};"));
                    }
                    _ => code.line(format_args!("out{output}.at[e] = {value};")),
                }
            }
            if lanes > 1 {
                code.close();
                for output in 0..results.len() {
                    let place = self.place(self.kernel.inputs() + output, false);
                    code.line(format_args!("store(p.out{output} + {place}, out{output});"));
                }
            }
        });
    }
}
