//! The loop that runs operations. What is frequent and can't fail is done in a loop of its own
//! ([`fast`](super::fast)), everything else here, one operation at a time, by functions elsewhere.

use super::iter::Step;
use super::register::{put, take};
use super::window::WINDOW;
use super::{Machine, Stop, op};
use crate::diag::SourceResult;
use crate::interp::compile::Op;
use crate::interp::value::Value;
use crate::syntax::ast::BinaryOp;

impl Machine<'_> {
    /// Runs operations until the first frame returns or gives something out. Where what is dropped may
    /// have an end that matters, it looks before each operation whether that is due.
    ///
    /// # Errors
    /// The first operation's that fails; the running frame's `pc` stands behind it.
    #[allow(clippy::too_many_lines)]
    pub(super) fn execute(&mut self) -> SourceResult<Stop> {
        let evaluator = self.evaluator;
        loop {
            let is_left = if evaluator.interp.ends.is_watching() {
                if evaluator.interp.ends.is_due() {
                    evaluator.end_dropped()?;
                }
                self.run_frequent::<[Value], true>()
            } else if self.frames.top().function().code.registers <= WINDOW {
                self.run_frequent::<[_; WINDOW], false>()
            } else {
                self.run_frequent::<[Value], false>()
            };
            if !is_left {
                continue;
            }
            if let Some(stop) = self.ending() {
                return Ok(stop);
            }
            let frame = self.frames.top();
            let (function, base, at) = (frame.function().clone(), frame.base, frame.pc() - 1);
            let code = &*function.code;
            let operation = code.ops[at];
            if self.ask_at_once() {
                continue;
            }
            self.is_told = false;
            let registers = &mut self.stack[base..];
            macro_rules! reg {
                ($register:expr) => {
                    registers[usize::from($register)]
                };
            }
            macro_rules! slow {
                ($($argument:tt)*) => {{
                    #[allow(unused_mut)]
                    let mut context =
                        op::Context { evaluator, code, registers: &mut *registers, at };
                    context.$($argument)*?
                }};
            }
            // Past what stands next: a jump, or the places of an index.
            macro_rules! skip {
                () => {
                    self.frames.top_mut().skip(1)
                };
            }
            // The jump that stands next, where a condition says so.
            macro_rules! jump_if {
                ($condition:expr) => {{
                    let target = match code.ops[at + 1] {
                        Op::Jump { to } if $condition => to as usize,
                        _ => at + 2,
                    };
                    self.frames.top_mut().go_to(target);
                }};
            }
            // Nothing may be left to run.
            macro_rules! stop {
                ($result:expr) => {
                    if let Some(stop) = $result {
                        return Ok(stop);
                    }
                };
            }
            match operation {
                Op::Global { to, index } => slow!(written_global(to, index)),
                Op::Check { local } => slow!(unbound(local)),

                Op::Add { to, a, b } => slow!(binary(BinaryOp::Add, to, a, b)),
                Op::Sub { to, a, b } => slow!(binary(BinaryOp::Sub, to, a, b)),
                Op::AddInt { to, a, number } => slow!(binary_with(BinaryOp::Add, to, a, number)),
                Op::SubInt { to, a, number } => slow!(binary_with(BinaryOp::Sub, to, a, number)),
                Op::Mul { to, a, b } => slow!(binary(BinaryOp::Mul, to, a, b)),
                Op::Mod { to, a, b } => slow!(binary(BinaryOp::Mod, to, a, b)),
                Op::FloorDiv { to, a, b } => slow!(binary(BinaryOp::FloorDiv, to, a, b)),
                Op::Div { to, a, b } => slow!(binary(BinaryOp::Div, to, a, b)),
                Op::Binary { op, to, a, b } => slow!(binary(op, to, a, b)),
                Op::Update { op, to, a, b } => slow!(update(op, to, a, b, false)),
                Op::UpdateLast { op, to, a, b } => slow!(update(op, to, a, b, true)),
                Op::Unary { op, to, a } => slow!(unary(op, to, a)),
                Op::Compare { op, to, a, b } => slow!(compare(op, to, a, b)),
                Op::CompareInt { op, to, a, number } => slow!(compare_with(op, to, a, number)),
                Op::UnlessInt { op, a, number } => {
                    let holds = slow!(compares_with(op, a, number));
                    jump_if!(!holds);
                }
                Op::WhenInt { op, a, number } => {
                    let holds = slow!(compares_with(op, a, number));
                    jump_if!(holds);
                }
                Op::Unless { op, a, b } => {
                    let holds = slow!(compares(op, a, b));
                    jump_if!(!holds);
                }
                Op::When { op, a, b } => {
                    let holds = slow!(compares(op, a, b));
                    jump_if!(holds);
                }

                Op::JumpBack { to } => {
                    self.turns = 0;
                    op::look_around(evaluator, code.span_at(at))?;
                    self.frames.top_mut().go_to(to as usize);
                }
                Op::Again { back, .. } => {
                    self.turns = 0;
                    op::look_around(evaluator, code.span_at(at))?;
                    self.frames.top_mut().go_to(at - usize::from(back));
                }
                Op::JumpIf { value, to } => {
                    if slow!(truth(value)) {
                        self.frames.top_mut().go_to(to as usize);
                    }
                }
                Op::JumpIfNot { value, to } => {
                    if !slow!(truth(value)) {
                        self.frames.top_mut().go_to(to as usize);
                    }
                }

                Op::Next { to, iter } => match slow!(step(iter)) {
                    Step::Item(value) => {
                        put(&mut reg!(to), value);
                        skip!();
                    }
                    Step::End => jump_if!(true),
                    Step::Resume(generator) => self.next_of(generator, to)?,
                },
                Op::Subscript { to, base, index } => {
                    slow!(subscript(to, base, index));
                    skip!();
                }
                Op::SetSubscript { base, index, from, is_last } => {
                    slow!(set_subscript(base, index, from, is_last));
                    skip!();
                }
                Op::ItemToUpdate { first } => {
                    slow!(item_to_update(first));
                    skip!();
                }
                Op::UpdateItem { op, first, is_last } => {
                    slow!(update_item(op, first, is_last));
                    skip!();
                }
                Op::Text { value } => slow!(text(value)),

                Op::Attribute { to, object, name } => {
                    if let Some(getter) = slow!(attribute(to, object, name)) {
                        self.call_getter(getter, to, object, code.first_temporary)?;
                    }
                }
                Op::SetAttribute { object, from, name } => slow!(set_attribute(object, from, name)),
                Op::Method { to, object, name } | Op::MethodThere { to, object, name } => {
                    slow!(method(to, object, name));
                }
                Op::Call { to, callee, site } => {
                    self.call(to, callee, callee + 1, &code.sites[usize::from(site)])?;
                }
                Op::CallOn { .. } | Op::Element => {}
                Op::CallMethod { to, callee, site } => {
                    if let (Value::Unbound, Some((object, name))) =
                        (&reg!(callee), code.sites[usize::from(site)].there)
                    {
                        slow!(method(callee, object, name));
                    }
                    self.call_method(to, callee, &code.sites[usize::from(site)])?;
                }
                Op::Return { value } => stop!(self.leave(value)?),
                Op::Yield { to, value } => {
                    let value = take(registers, code.first_temporary, value);
                    // Nothing has been sent in yet.
                    put(&mut reg!(to), Value::None);
                    stop!(self.give_out(value));
                }
                Op::YieldFrom { to, iter } => stop!(self.yield_from(to, iter)?),
                Op::Commit => op::commit(evaluator, code.span_at(at))?,
                Op::Stand => {
                    if self.commits {
                        op::commit(evaluator, code.span_at(at))?;
                        op::ensure(evaluator);
                    }
                }
                Op::Cell { index, .. } => slow!(unbound_cell(index)),
                Op::DeleteCell { index } => {
                    op::ensure(evaluator);
                    let journal = &evaluator.interp.journal;
                    let cell = &self.frames.top().cells()[usize::from(index)];
                    if cell.replace(journal, None).is_none() {
                        slow!(unbound_cell(index));
                    }
                }
                Op::FreshCell { index } => {
                    let journal = &evaluator.interp.journal;
                    let made = crate::interp::shared::Shared::made_in(journal, None);
                    if let Some(extra) = &mut self.frames.top_mut().extra {
                        extra.cells[usize::from(index)] = std::rc::Rc::new(made);
                    }
                }
                Op::Free { index, .. } => slow!(unbound_free(index)),
                Op::DeleteFree { index } => {
                    op::ensure(evaluator);
                    let journal = &evaluator.interp.journal;
                    if function.captured[usize::from(index)].replace(journal, None).is_none() {
                        slow!(unbound_free(index));
                    }
                }
                Op::Unpack { from, first, count } => {
                    slow!(unpack(from, first, usize::from(count), None));
                }
                Op::Class { to, count } => {
                    let mut context = op::Context { evaluator, code, registers, at };
                    context.class(to, count, self.frames.top().cells())?;
                }
                Op::Locals { to, count, cells } => {
                    let mut context = op::Context { evaluator, code, registers, at };
                    let cells = &self.frames.top().cells()[..usize::from(cells)];
                    context.locals(to, count, cells, &function.captured)?;
                }
                Op::Catches { error, class } => {
                    let takes = slow!(catches(error, class));
                    jump_if!(!takes);
                }
                Op::CatchesPart { state, class } => {
                    let takes = slow!(catches_part(state, class));
                    jump_if!(!takes);
                }
                Op::Raise { exception, cause } => return Err(self.raise(exception, cause)),
                Op::Reraise => return Err(self.reraise()),
                Op::Fail { index } => {
                    return Err(Box::new(code.failures[usize::from(index)].clone()));
                }
                _ => slow!(other(operation)),
            }
        }
    }
}
