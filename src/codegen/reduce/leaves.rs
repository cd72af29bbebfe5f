//! How a kernel with rows reaches its operands: the expressions for places, elements and coordinates.

use super::super::body::Leaves;
use super::super::names;
use super::fields::Named;
use super::form::{Lanes, Reach, RowsForm};
use crate::dtype::DType;

/// Names and expressions that follow from the form.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    pub form: &'a RowsForm,
    pub operands: &'a [Named],
    pub inputs: usize,
}

impl<'a> Words<'a> {
    pub fn input(&self, number: u16) -> &'a Named {
        &self.operands[number as usize]
    }

    pub fn outputs(&self) -> &'a [Named] {
        &self.operands[self.inputs..]
    }

    /// The type of numbers of rows and elements.
    pub fn index(&self) -> &'static str {
        if self.form.is_wide { "u64" } else { "u32" }
    }

    fn signed(&self) -> &'static str {
        if self.form.is_wide { "i64" } else { "i32" }
    }

    /// A vector of `dtype` as memory holds it, or one element.
    pub fn stored(&self, dtype: DType) -> String {
        self.vector_of(names::stored(dtype))
    }

    pub fn vector_of(&self, ty: &str) -> String {
        match self.form.vector {
            1 => ty.to_string(),
            count => format!("Pack<{ty}, {count}>"),
        }
    }

    /// The vector at an address.
    pub fn vector_in(&self, place: &str) -> String {
        match self.form.vector {
            1 => format!("*({place})"),
            count => format!("load<{count}>({place})"),
        }
    }

    /// The statement that puts a vector to an address.
    pub fn put_vector(&self, place: &str, vector: &str) -> String {
        match self.form.vector {
            1 => format!("*({place}) = {vector};"),
            _ => format!("store({place}, {vector});"),
        }
    }

    /// One element of a vector.
    pub fn lane(&self, vector: &str) -> String {
        if self.form.vector == 1 { vector.to_string() } else { format!("{vector}.at[j]") }
    }

    /// What an array has for each step.
    pub fn step(&self, array: &str) -> String {
        if self.form.steps == 1 { array.to_string() } else { format!("{array}[k]") }
    }

    /// The declaration of such an array.
    pub fn steps(&self, array: &str) -> String {
        match self.form.steps {
            1 => array.to_string(),
            steps => format!("{array}[{steps}]"),
        }
    }

    /// One of a thread's rows' own values: `acc1[j]`.
    pub fn of_row(&self, array: &str) -> String {
        if self.form.rows() == 1 { array.to_string() } else { format!("{array}[j]") }
    }

    pub fn of_rows(&self, array: &str) -> String {
        match self.form.rows() {
            1 => array.to_string(),
            rows => format!("{array}[{rows}]"),
        }
    }

    /// Whether `j` counts elements (rows otherwise).
    fn counts_elements(&self) -> bool {
        self.form.lanes == Lanes::Along && self.form.vector > 1
    }

    /// The number of the element in its row.
    pub fn element(&self) -> &'static str {
        if self.counts_elements() { "(e + j)" } else { "e" }
    }

    fn row(&self) -> &'static str {
        if self.form.rows() > 1 { "(row + j)" } else { "row" }
    }

    /// The coordinate along a kept axis.
    fn row_coordinate(&self, axis: usize) -> String {
        let is_last = axis + 1 == self.form.kept_rank as usize;
        let name = if self.form.kept_rank == 1 { "row".to_string() } else { format!("c{axis}") };
        if is_last && self.form.rows() > 1 { format!("({name} + j)") } else { name }
    }

    /// The coordinate along a reduced axis, of the vector or of one of its elements.
    fn element_coordinate(&self, axis: usize, of_vector: bool) -> String {
        let is_last = axis + 1 == self.form.reduced_rank as usize;
        let name = if self.form.reduced_rank == 1 { "e".to_string() } else { format!("e{axis}") };
        match is_last && self.counts_elements() && !of_vector {
            true => format!("({name} + j)"),
            false => name,
        }
    }

    /// Where the row begins in an operand: what is added to its pointer.
    pub fn row_start(&self, operand: &Named) -> String {
        let rank = self.form.kept_rank as usize;
        let mut terms = Vec::new();
        for axis in 0..rank {
            let name = if rank == 1 { "row".to_string() } else { format!("c{axis}") };
            terms.push(match operand.has_row_step(self.form, axis) {
                true => format!("(i64){name} * p.{}_r{axis}", operand.name),
                false => name,
            });
        }
        terms.join(" + ")
    }

    /// Where an operand is reached from where its row begins: the vector, or the element `j` of it.
    pub fn place(&self, operand: &Named, of_vector: bool) -> Vec<String> {
        let signed = self.signed();
        let mut terms = Vec::new();
        for axis in 0..self.form.reduced_rank as usize {
            let coordinate = self.element_coordinate(axis, of_vector);
            if operand.has_element_step(self.form, axis) {
                terms.push(format!("({signed}){coordinate} * p.{}_e{axis}", operand.name));
            } else if operand.reach == Reach::Vector && self.form.lanes == Lanes::Along {
                // Alone it may stay unsigned: it is added to a pointer.
                terms.push(match self.form.reduced_rank {
                    1 => coordinate,
                    _ => format!("({signed}){coordinate}"),
                });
            }
        }
        if !of_vector {
            terms.extend(self.row_step(operand));
        }
        terms
    }

    /// The step from a thread's first row to row `j`.
    fn row_step(&self, operand: &Named) -> Option<String> {
        let last = (self.form.kept_rank as usize).checked_sub(1)?;
        match self.form.rows() {
            1 => None,
            _ if operand.reach == Reach::Fixed => None,
            _ if operand.has_row_step(self.form, last) => {
                Some(format!("(i64)j * p.{}_r{last}", operand.name))
            }
            _ if self.form.reduced_rank == 0 => Some("j".to_string()),
            _ => Some(format!("({})j", self.signed())),
        }
    }

    /// One element of an operand.
    pub fn at(&self, operand: &Named, terms: &[String]) -> String {
        match terms {
            [] => format!("*{}", operand.name),
            terms => format!("{}[{}]", operand.name, terms.join(" + ")),
        }
    }

    /// The element `j` of an operand of each element.
    pub fn element_at(&self, operand: &Named) -> String {
        self.at(operand, &self.place(operand, false))
    }

    /// The element of an operand of each row.
    pub fn row_at(&self, operand: &Named) -> String {
        let terms: Vec<String> = self.row_step(operand).into_iter().collect();
        self.at(operand, &terms)
    }

    /// The address of a vector.
    pub fn vector_at(&self, operand: &Named) -> String {
        match self.place(operand, true).as_slice() {
            [] => operand.name.clone(),
            terms => format!("{} + {}", operand.name, terms.join(" + ")),
        }
    }

    fn iota(&self, axis: u8, is_row: bool) -> String {
        let axes = &self.form.axes;
        let place = axes.iter().position(|own| *own == axis).unwrap_or(axis as usize);
        let kept = self.form.kept_rank as usize;
        let coordinate = match place < kept {
            true => self.row_coordinate(place),
            false if is_row => "0".to_string(),
            false => self.element_coordinate(place - kept, false),
        };
        format!("(i64){coordinate}")
    }

    fn gathered(&self, input: u16, mut terms: Vec<String>, places: &[String]) -> String {
        for (number, place) in places.iter().enumerate() {
            terms.push(format!("{place} * p.step{input}_{number}"));
        }
        self.at(self.input(input), &terms)
    }
}

/// The leaves of a row's own values, which `pass` begins with.
pub struct RowLeaves<'a> {
    pub words: Words<'a>,
    pub pass: usize,
}

impl Leaves for RowLeaves<'_> {
    fn load(&mut self, input: u16) -> String {
        self.words.row_at(self.words.input(input))
    }

    fn gather(&mut self, input: u16, places: &[String]) -> String {
        let step = self.words.row_step(self.words.input(input));
        self.words.gathered(input, step.into_iter().collect(), places)
    }

    fn iota(&mut self, axis: u8) -> String {
        self.words.iota(axis, true)
    }

    fn position(&mut self) -> String {
        position(self.words.row(), self.pass, None)
    }
}

/// The leaves of element values, whose loads are under way.
pub struct ElementLeaves<'a> {
    pub words: Words<'a>,
    pub pass: usize,
}

impl Leaves for ElementLeaves<'_> {
    fn load(&mut self, input: u16) -> String {
        self.words.lane(&self.words.step(&format!("loaded{input}")))
    }

    fn gather(&mut self, input: u16, places: &[String]) -> String {
        let terms = self.words.place(self.words.input(input), false);
        self.words.gathered(input, terms, places)
    }

    fn iota(&mut self, axis: u8) -> String {
        self.words.iota(axis, false)
    }

    fn position(&mut self) -> String {
        position(self.words.row(), self.pass, Some(self.words.element()))
    }
}

/// Faults of an earlier pass come first within their row, as they do where one thread runs all.
fn position(row: &str, pass: usize, element: Option<&str>) -> String {
    let mut text = format!("(u64){row} * p.points");
    if pass > 0 {
        text.push_str(&format!(" + {pass} * (u64)p.row_len"));
    }
    if let Some(element) = element {
        text.push_str(&format!(" + {element}"));
    }
    text
}
