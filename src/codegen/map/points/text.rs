//! The text of the form `points`: loads, computation and stores, each over all packs of a thread,
//! so that every load is under way before the first value is needed.

use smallvec::SmallVec;

use super::{Level, MAX_THREADS, Place, PointsForm, Reach, fields};
use crate::codegen::body::{Body, Leaves};
use crate::codegen::code::Code;
use crate::codegen::index::{Step, coordinates, offset};
use crate::codegen::map::kernel::Kernel;
use crate::codegen::map::params_text;
use crate::codegen::names;
use crate::codegen::params::head;
use crate::ir::{Op, Reg};

pub fn render(kernel: &Kernel<'_>, form: &PointsForm, entry: &str) -> String {
    let mut code = Code::new();
    code.lines(&params_text(|text| fields(kernel, form, None, text)));
    code.line("");
    code.open(head(MAX_THREADS, entry));
    let needed = Body::new(kernel.program).missing(kernel.results());
    let frame = Frame { kernel, form, levels: form.levels(kernel.program), needed };
    frame.whole(&mut code);
    code.close();
    code.finish()
}

/// What the parts of a kernel have in common.
pub struct Frame<'a> {
    pub kernel: &'a Kernel<'a>,
    pub form: &'a PointsForm,
    pub levels: SmallVec<[Level; 16]>,
    /// The instructions that the outputs need.
    pub needed: Vec<Reg>,
}

/// Where in the kernel a value is computed.
pub struct Here<'a> {
    pub frame: &'a Frame<'a>,
    pub level: Level,
}

/// What the inside of a loop over packs must know of its place, beside its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    Nothing,
    /// The number `i` of the pack's first point.
    Number,
    /// The coordinates of that point.
    Coordinates,
}

impl Asked {
    /// Whether the program asks for coordinates.
    pub fn of(kernel: &Kernel<'_>) -> Asked {
        match kernel.asked {
            0 => Asked::Nothing,
            _ => Asked::Coordinates,
        }
    }
}

impl Leaves for Here<'_> {
    fn load(&mut self, input: u16) -> String {
        match self.frame.form.operands[input as usize].reach {
            Reach::Once => format!("*p.in{input}"),
            _ if self.frame.is_plain() => self.frame.element(input as usize),
            Reach::Same => self.frame.slot(&format!("in{input}"), Level::Pack),
            _ => self.frame.slot(&format!("in{input}"), Level::Lane),
        }
    }

    fn gather(&mut self, _: u16, _: &[String]) -> String {
        unreachable!("gathers are read before anything is computed from them")
    }

    fn iota(&mut self, axis: u8) -> String {
        let form = self.frame.form;
        let is_last = axis + 1 == form.rank;
        let lane = if is_last && form.lanes > 1 && !form.apart { " + e" } else { "" };
        format!("p.start{axis} + {}{lane}", self.frame.coordinate(axis as usize, "i"))
    }

    fn position(&mut self) -> String {
        let lane = self.level == Level::Lane && self.frame.form.lanes > 1;
        format!("p.position + i{}", if lane { " + e" } else { "" })
    }
}

impl<'a> Frame<'a> {
    fn whole(&self, code: &mut Code) {
        let mut body = Body::new(self.kernel.program);
        self.once(code, &mut body);
        self.begin(code);
        self.loads(code);
        self.gathers(code, &mut body);
        self.compute(code, body);
        self.stores(code);
    }

    /// Whether a thread has one point only, so that variables need not be kept from loop to loop.
    pub fn is_plain(&self) -> bool {
        self.form.packs == 1 && self.form.lanes == 1
    }

    /// An operand's element at the point `i`.
    fn element(&self, operand: usize) -> String {
        let (kind, number) = self.kernel.name(operand);
        let place = self.place(operand, "i", false).unwrap_or_else(|| "0".to_string());
        format!("p.{kind}{number}[{place}]")
    }

    /// What is the same for all points.
    fn once(&self, code: &mut Code, body: &mut Body<'_>) {
        let mut here = Here { frame: self, level: Level::Thread };
        for reg in self.needed_at(Level::Thread) {
            body.emit(code, reg, &mut here);
        }
    }

    fn needed_at(&self, level: Level) -> impl Iterator<Item = Reg> + '_ {
        self.needed.iter().copied().filter(move |reg| self.levels[reg.index()] == level)
    }

    /// The thread's first point; with one pack a thread, all that is to be known of its place.
    fn begin(&self, code: &mut Code) {
        let PointsForm { lanes, packs, ends, .. } = *self.form;
        let scaled = |number: &str| match lanes {
            1 => number.to_string(),
            _ => format!("({number}) * {lanes}"),
        };
        if packs > 1 {
            let first = format!("blockIdx.x * blockDim.x * {packs} + threadIdx.x");
            code.line(format_args!("u32 first = {};", scaled(&first)));
            let step =
                if lanes == 1 { "blockDim.x".into() } else { format!("blockDim.x * {lanes}") };
            code.line(format_args!("u32 step = {step};"));
            return;
        }
        code.line(format_args!("u32 i = {};", scaled("blockIdx.x * blockDim.x + threadIdx.x")));
        if !ends {
            code.line("if (i > p.last) return;");
            let all: Vec<usize> = (0..self.form.operands.len()).collect();
            self.places(code, &all, Asked::of(self.kernel), "i");
        }
    }

    /// Runs over the thread's packs. `operands` are those whose places are needed inside. What lies
    /// behind the last pack does that one's work again.
    pub fn over_packs(
        &self,
        code: &mut Code,
        operands: &[usize],
        asked: Asked,
        inside: impl FnOnce(&mut Code),
    ) {
        if self.form.packs == 1 {
            return inside(code);
        }
        self.open_packs(code);
        if !operands.is_empty() || asked != Asked::Nothing {
            match self.form.ends {
                true => code.line("u32 i = first + k * step;"),
                false => code.line("u32 i = min(first + k * step, p.last);"),
            }
            self.places_in_pack(code, operands, asked);
        }
        inside(code);
        code.close();
    }

    /// Runs over the thread's packs as far as they are in the space.
    fn over_own_packs(&self, code: &mut Code, operands: &[usize], inside: impl FnOnce(&mut Code)) {
        if self.form.packs == 1 {
            return inside(code);
        }
        self.open_packs(code);
        code.line("u32 i = first + k * step;");
        if !self.form.ends {
            code.line("if (i > p.last) break;");
        }
        self.places_in_pack(code, operands, Asked::Nothing);
        inside(code);
        code.close();
    }

    fn open_packs(&self, code: &mut Code) {
        code.line("#pragma unroll");
        code.open(format_args!("for (u32 k = 0; k < {}; k++)", self.form.packs));
    }

    /// The places of the whole pack at `i`. Where packs may be cut, each lane has its own.
    fn places_in_pack(&self, code: &mut Code, operands: &[usize], asked: Asked) {
        if !self.form.ends {
            self.places(code, operands, asked, "i");
        }
    }

    /// Runs over the lanes of a pack.
    pub fn over_lanes(&self, code: &mut Code, inside: impl FnOnce(&mut Code)) {
        if self.form.lanes == 1 {
            return inside(code);
        }
        code.line("#pragma unroll");
        code.open(format_args!("for (u32 e = 0; e < {}; e++)", self.form.lanes));
        inside(code);
        code.close();
    }

    /// Passes over the lanes that a cut pack does not have.
    pub fn skip_missing(&self, code: &mut Code) {
        if self.form.ends {
            code.line("if (i + e < p.begin || i + e >= p.end) continue;");
        }
    }

    /// The coordinates and places of the point `number`, as far as somebody needs them.
    pub fn places(&self, code: &mut Code, operands: &[usize], asked: Asked, number: &str) {
        let form = self.form;
        let mut places: SmallVec<[usize; 4]> = SmallVec::new();
        for operand in operands {
            let place = form.operands[*operand].place as usize;
            if self.has_place(*operand) && !form.is_linear(*operand) && !places.contains(&place) {
                places.push(place);
            }
        }
        if form.rank > 1 && (asked == Asked::Coordinates || !places.is_empty()) {
            coordinates(code, number, form.rank as usize, "p.dim");
        }
        for place in places {
            let Place::Steps(steps) = &form.places[place] else { continue };
            let names: Vec<String> =
                (0..steps.len()).map(|axis| self.coordinate(axis, number)).collect();
            let terms = steps
                .iter()
                .enumerate()
                .map(|(axis, step)| (*step, names[axis].as_str(), format!("p.step{place}_{axis}")));
            let ty = if form.wide { "i64" } else { "i32" };
            code.line(format_args!("{ty} o{place} = {};", offset(form.wide, terms)));
        }
    }

    fn coordinate(&self, axis: usize, number: &str) -> String {
        if self.form.rank == 1 { number.to_string() } else { format!("c{axis}") }
    }

    /// Whether an operand moves at all.
    pub fn has_place(&self, operand: usize) -> bool {
        match &self.form.places[self.form.operands[operand].place as usize] {
            Place::Linear => true,
            Place::Steps(steps) => steps.iter().any(|step| *step != Step::Zero),
        }
    }

    /// The place of an operand's element: of the point `number`, or of lane `e` of the pack there.
    pub fn place(&self, operand: usize, number: &str, of_lane: bool) -> Option<String> {
        let place = self.form.operands[operand].place as usize;
        if !self.has_place(operand) {
            return None;
        }
        let lane = match &self.form.places[place] {
            Place::Linear if of_lane => " + e".to_string(),
            Place::Steps(steps) if of_lane => match steps[steps.len() - 1] {
                Step::Zero => String::new(),
                // Signed, as the place of a row before the first is.
                Step::One => " + (i32)e".to_string(),
                Step::Any => format!(" + (i32)e * p.step{place}_{}", steps.len() - 1),
            },
            _ => String::new(),
        };
        let start = match self.form.is_linear(operand) {
            true => number.to_string(),
            false => format!("o{place}"),
        };
        Some(start + &lane)
    }

    /// The variable of an operand or a gather in the loops over packs and lanes.
    pub fn slot(&self, name: &str, level: Level) -> String {
        let pack = if self.form.packs > 1 { "[k]" } else { "" };
        let lane = if self.form.lanes > 1 && level == Level::Lane { ".at[e]" } else { "" };
        format!("{name}{pack}{lane}")
    }

    /// The type of the variable of which `slot` is a part.
    fn ty(&self, stored: &str, level: Level) -> String {
        match self.form.lanes {
            lanes if lanes > 1 && level == Level::Lane => format!("Pack<{stored}, {lanes}>"),
            _ => stored.to_string(),
        }
    }

    /// Declares the variable of which `slot` is a part.
    pub fn declare(&self, code: &mut Code, stored: &str, name: &str, level: Level, value: &str) {
        let packs = self.form.packs;
        let count = if packs > 1 { format!("[{packs}]") } else { String::new() };
        code.line(format_args!("{} {name}{count}{value};", self.ty(stored, level)));
    }

    fn loads(&self, code: &mut Code) {
        let is_loaded = |input: &usize| {
            self.form.operands[*input].reach != Reach::Once
                && self.needed.iter().any(|reg| {
                    matches!(self.kernel.program.instr(*reg).op,
                        Op::Load { input: own } if own as usize == *input)
                })
        };
        let loaded: Vec<usize> = (0..self.kernel.inputs()).filter(is_loaded).collect();
        if loaded.is_empty() || self.is_plain() {
            return;
        }
        for input in loaded.iter().filter(|input| !self.is_declared_by_load(**input)) {
            let ty = names::stored(self.kernel.dtype(*input));
            self.declare(code, ty, &format!("in{input}"), self.load_level(*input), "");
        }
        self.over_packs(code, &loaded, Asked::Nothing, |code| {
            for input in &loaded {
                self.load(code, *input);
            }
        });
    }

    fn load_level(&self, input: usize) -> Level {
        match self.form.operands[input].reach {
            Reach::Same => Level::Pack,
            _ => Level::Lane,
        }
    }

    /// Whether one statement declares an operand's variable and fills it.
    fn is_declared_by_load(&self, input: usize) -> bool {
        self.form.packs == 1 && self.form.operands[input].reach != Reach::Each
    }

    fn load(&self, code: &mut Code, input: usize) {
        let PointsForm { lanes, ends, .. } = *self.form;
        let name = format!("in{input}");
        let mut whole = self.slot(&name, Level::Pack);
        if self.is_declared_by_load(input) {
            let stored = names::stored(self.kernel.dtype(input));
            whole = format!("{} {whole}", self.ty(stored, self.load_level(input)));
        }
        match self.form.operands[input].reach {
            Reach::Pack if ends => code
                .line(format_args!("{whole} = load_part<{lanes}>(p.{name}, i, p.begin, p.end);")),
            Reach::Pack if lanes > 1 => {
                let place = self.place(input, "i", false).unwrap_or_default();
                code.line(format_args!("{whole} = load<{lanes}>(p.{name} + {place});"));
            }
            Reach::Same => {
                let place = self.place(input, "i", false).unwrap_or_else(|| "0".to_string());
                code.line(format_args!("{whole} = p.{name}[{place}];"));
            }
            _ => self.over_lanes(code, |code| {
                let number = if ends { "j" } else { "i" };
                if ends {
                    code.line("u32 j = within(i + e, p.begin, p.end);");
                    self.places(code, &[input], Asked::Nothing, "j");
                }
                let place = self.place(input, number, !ends && lanes > 1);
                let place = place.unwrap_or_else(|| "0".to_string());
                let slot = self.slot(&name, Level::Lane);
                code.line(format_args!("{slot} = p.{name}[{place}];"));
            }),
        }
    }

    fn compute(&self, code: &mut Code, mut body: Body<'_>) {
        let results: SmallVec<[Reg; 2]> = self.kernel.results().collect();
        for (output, reg) in results.iter().enumerate().filter(|_| !self.is_plain()) {
            let ty = names::stored(self.kernel.program.instr(*reg).dtype);
            self.declare(code, ty, &format!("out{output}"), Level::Lane, "");
        }
        let missing = body.missing(results.iter().copied());
        let can_fail = missing.iter().any(|reg| self.kernel.program.can_fail_at(*reg));
        let asks = |reg: &Reg| matches!(self.kernel.program.instr(*reg).op, Op::Iota { .. });
        let asked = match (missing.iter().any(asks), can_fail) {
            (true, _) => Asked::Coordinates,
            (false, true) => Asked::Number,
            (false, false) => Asked::Nothing,
        };
        self.over_packs(code, &[], asked, |code| {
            let mut here = Here { frame: self, level: Level::Pack };
            for reg in missing.iter().filter(|reg| self.levels[reg.index()] == Level::Pack) {
                body.emit(code, *reg, &mut here);
            }
            self.over_lanes(code, |code| {
                let mut here = Here { frame: self, level: Level::Lane };
                if can_fail {
                    self.skip_missing(code);
                }
                if self.form.apart && asked == Asked::Coordinates {
                    code.line("u32 j = i + e;");
                    self.places(code, &[], asked, "j");
                }
                body.compute(code, results.iter().copied(), &mut here);
                for (output, reg) in results.iter().enumerate() {
                    let dtype = self.kernel.program.instr(*reg).dtype;
                    let slot = match self.is_plain() {
                        true => self.element(self.kernel.inputs() + output),
                        false => self.slot(&format!("out{output}"), Level::Lane),
                    };
                    let value = names::to_stored(dtype, body.name(*reg));
                    code.line(format_args!("{slot} = {value};"));
                }
            });
        });
    }

    fn stores(&self, code: &mut Code) {
        if self.is_plain() {
            return;
        }
        let PointsForm { lanes, ends, .. } = *self.form;
        let inputs = self.kernel.inputs();
        let outputs: Vec<usize> = (inputs..self.form.operands.len()).collect();
        self.over_own_packs(code, &outputs, |code| {
            for operand in &outputs {
                let (kind, number) = self.kernel.name(*operand);
                let name = format!("{kind}{number}");
                let slot = self.slot(&name, Level::Pack);
                let place = self.place(*operand, "i", false).unwrap_or_else(|| "0".to_string());
                match lanes {
                    1 => code.line(format_args!("p.{name}[{place}] = {slot};")),
                    _ if ends => {
                        code.line(format_args!("store_part(p.{name}, i, p.begin, p.end, {slot});"))
                    }
                    _ => code.line(format_args!("store(p.{name} + {place}, {slot});")),
                }
            }
        });
    }
}
