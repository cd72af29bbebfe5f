//! The fields of a kernel's parameters, named once for its text and for its bytes.

use super::super::names;
use super::super::params::Fields;
use super::form::{Lanes, Part, Reach, RowsForm};
use super::geometry::{Geometry, use_of_input};
use super::passes::regs;
use crate::dtype::DType;
use crate::ir::{Domain, Op, Program, Reg};

/// Where a reduction's parts and results lie in scratch memory.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub reg: Reg,
    pub parts: usize,
    pub result: usize,
}

/// What the fields hold: of a launch nothing is needed where only their names are.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// How many passes the program has.
    pub passes: usize,
    pub geometry: Option<&'a Geometry>,
    pub places: &'a [Place],
}

/// An operand, as a kernel's text names it.
#[derive(Debug, Clone)]
pub struct Named {
    /// `in0`, `out1`
    pub name: String,
    pub dtype: DType,
    pub domain: Domain,
    pub reach: Reach,
    pub is_gathered: bool,
}

/// Inputs, then outputs.
pub fn named(program: &Program, form: &RowsForm) -> Vec<Named> {
    let inputs = program.inputs.iter().enumerate().map(|(number, dtype)| {
        let (domain, is_gathered) = use_of_input(program, number as u16);
        (format!("in{number}"), *dtype, domain, is_gathered)
    });
    let outputs = program.outputs.iter().enumerate().map(|(number, output)| {
        (format!("out{number}"), program.output_dtype(number), output.domain, false)
    });
    inputs
        .chain(outputs)
        .zip(&form.reach)
        .map(|((name, dtype, domain, is_gathered), reach)| Named {
            name,
            dtype,
            domain,
            reach: *reach,
            is_gathered,
        })
        .collect()
}

impl Named {
    /// Whether the step along a kept axis is a parameter.
    pub fn has_row_step(&self, form: &RowsForm, axis: usize) -> bool {
        let is_unit = self.reach == Reach::Vector && form.lanes == Lanes::Across;
        !(is_unit && axis + 1 == form.kept_rank as usize)
    }

    /// Whether the step along a reduced axis is a parameter.
    pub fn has_element_step(&self, form: &RowsForm, axis: usize) -> bool {
        let is_unit = self.reach == Reach::Vector && form.lanes == Lanes::Along;
        let is_fixed = self.reach == Reach::Fixed && form.lanes == Lanes::Along;
        let moves = self.domain == Domain::Element && !is_fixed;
        moves && !(is_unit && axis + 1 == form.reduced_rank as usize)
    }
}

pub fn list(program: &Program, form: &RowsForm, values: Values<'_>, fields: &mut impl Fields) {
    let geometry = values.geometry;
    let operands = named(program, form);
    for (number, operand) in operands.iter().enumerate() {
        let address = geometry.map_or(0, |geometry| geometry.operands[number].address);
        let constant = if number < program.inputs.len() { "const " } else { "" };
        let ty = format!("{constant}{}", names::stored(operand.dtype));
        fields.pointer(&ty, format_args!("{}", operand.name), address);
    }
    let rows = geometry.map_or(1, Geometry::rows);
    let row_len = geometry.map_or(1, Geometry::row_len);
    let count = |fields: &mut _, name, value| count(fields, form.is_wide, name, value);
    count(fields, format_args!("rows"), rows);
    count(fields, format_args!("row_len"), row_len);
    let dims = |axis: usize| geometry.map_or(1, |geometry| geometry.space.dims[axis].max(1));
    let (kept, reduced) = (form.kept_rank as usize, form.reduced_rank as usize);
    for axis in 1..kept {
        divisor(fields, form.is_wide, format_args!("kept{axis}"), dims(axis));
    }
    for axis in 1..reduced {
        divisor(fields, form.is_wide, format_args!("reduced{axis}"), dims(kept + axis));
    }
    for (number, operand) in operands.iter().enumerate() {
        let access = geometry.map(|geometry| &geometry.operands[number].access);
        let stride = |axis: usize| access.map_or(0, |access| access.strides[axis]);
        let name = &operand.name;
        for axis in (0..kept).filter(|axis| operand.has_row_step(form, *axis)) {
            fields.i64(format_args!("{name}_r{axis}"), stride(axis) as i64);
        }
        for axis in (0..reduced).filter(|axis| operand.has_element_step(form, *axis)) {
            fields.stride(format_args!("{name}_e{axis}"), form.is_wide, stride(kept + axis));
        }
        if operand.is_gathered {
            for index in 0..gathered_axes(program, number) {
                let (extent, step) = access.map_or((0, 0), |access| access.gathered[index]);
                fields.i64(format_args!("extent{number}_{index}"), extent as i64);
                fields.i64(format_args!("step{number}_{index}"), step as i64);
            }
        }
    }
    if program.can_fail() {
        let points = values.passes.max(1) * row_len.max(1);
        fields.u64(format_args!("points"), points as u64);
    }
    if matches!(form.part, Part::Pass(_)) {
        let is_fold = |reg: &Reg| matches!(program.instr(*reg).op, Op::Reduce(..));
        for reg in regs(program).filter(is_fold) {
            let place = values.places.iter().find(|place| place.reg == reg);
            let (parts, result) = place.map_or((0, 0), |place| (place.parts, place.result));
            fields.u64(format_args!("parts{}", reg.0), parts as u64);
            if values.passes > 1 {
                fields.u64(format_args!("result{}", reg.0), result as u64);
            }
        }
    }
}

fn count(fields: &mut impl Fields, is_wide: bool, name: std::fmt::Arguments<'_>, value: usize) {
    match is_wide {
        true => fields.u64(name, value as u64),
        false => fields.u32(name, value as u32),
    }
}

fn divisor(fields: &mut impl Fields, is_wide: bool, name: std::fmt::Arguments<'_>, value: usize) {
    match is_wide {
        true => fields.u64(name, value as u64),
        false => fields.divisor(name, value),
    }
}

/// How many axes of an input are reached by computed indices.
fn gathered_axes(program: &Program, number: usize) -> usize {
    let of = |op: &Op| match op {
        Op::Gather { input, indices } if *input as usize == number => indices.len(),
        _ => 0,
    };
    program.instrs.iter().map(|instr| of(&instr.op)).max().unwrap_or(0)
}
