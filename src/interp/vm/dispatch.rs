//! The loop that runs operations. What is frequent and plain is done here; everything else is a
//! function elsewhere, so that the loop stays small.

use super::arithmetic::{self, Plain};
use super::frame::TURNS;
use super::iter::Step;
use super::register::{copy, forget, put, put_copy, put_float, put_global, put_int, take};
use super::{Machine, Stop, attribute, op, quick};
use crate::diag::SourceResult;
use crate::interp::compile::Op;
use crate::interp::value::Value;
use crate::syntax::ast::BinaryOp;

impl Machine<'_> {
    /// Runs operations until the first frame returns or gives something out. With `WATCHES` it looks
    /// before each whether something has been dropped whose end matters; `None` where that is not as it
    /// should be any more.
    ///
    /// # Errors
    /// The first operation's that fails; the running frame's `pc` stands behind it.
    #[allow(clippy::too_many_lines)]
    pub(super) fn execute<const WATCHES: bool>(&mut self) -> SourceResult<Option<Stop>> {
        'frame: loop {
            if WATCHES != self.evaluator.interp.ends.is_watching() {
                return Ok(None);
            }
            let function = self.frame.function.clone();
            let code = &*function.code;
            let ops = code.ops.as_slice();
            let mut pc = self.frame.pc;
            let evaluator = self.evaluator;
            let base = self.frame.base;
            let registers = &mut self.stack[base..];
            // What fails leaves with its place.
            macro_rules! check {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(error) => {
                            self.frame.pc = pc;
                            return Err(error);
                        }
                    }
                };
            }
            // Another frame may run afterwards.
            macro_rules! switch {
                ($result:expr) => {{
                    self.frame.pc = pc;
                    $result?;
                    continue 'frame;
                }};
            }
            // Or none.
            macro_rules! stop {
                ($result:expr) => {{
                    self.frame.pc = pc;
                    match $result? {
                        Some(stop) => return Ok(Some(stop)),
                        None => continue 'frame,
                    }
                }};
            }
            macro_rules! reg {
                ($register:expr) => {
                    registers[usize::from($register)]
                };
            }
            macro_rules! slow {
            ($($argument:tt)*) => {{
                #[allow(unused_mut)]
                let mut context =
                    op::Context { evaluator, code, registers: &mut *registers, at: pc - 1 };
                check!(context.$($argument)*)
            }};
        }
            macro_rules! plain {
                ($plain:ident, $op:expr, $to:expr, $a:expr, $b:expr) => {
                    match Plain::$plain(&reg!($a), &reg!($b)) {
                        Some(Plain::Int(value)) => put_int(&mut reg!($to), value),
                        Some(Plain::Float(value)) => put_float(&mut reg!($to), value),
                        None => slow!(binary($op, $to, $a, $b)),
                    }
                };
            }
            // The target of the jump that stands next.
            macro_rules! jump {
                () => {
                    match ops[pc] {
                        Op::Jump { to } => pc = to as usize,
                        _ => pc += 1,
                    }
                };
            }
            loop {
                if WATCHES && evaluator.interp.ends.is_due() {
                    switch!(evaluator.end_dropped());
                }
                let operation = ops[pc];
                pc += 1;
                match operation {
                    Op::Const { to, index } => {
                        put_copy(&mut reg!(to), &code.constants[index as usize]);
                    }
                    Op::Copy { to, from } => {
                        copy(registers, to, from);
                    }
                    Op::Move { to, from } => {
                        copy(registers, to, from);
                        forget(registers, 0, from);
                    }
                    Op::Global { to, index } => {
                        let global = &code.globals[usize::from(index)];
                        let is_there = match (&*global.slot.borrow(), &global.built_in) {
                            (Some(value), _) | (None, Some(value)) => {
                                put_global(&mut reg!(to), value);
                                true
                            }
                            (None, None) => false,
                        };
                        if !is_there {
                            slow!(written_global(to, index));
                        }
                    }
                    Op::SetGlobal { from, index, is_last } => {
                        let value = take(registers, code.first_temporary, from);
                        if !is_last {
                            op::ensure(evaluator);
                        }
                        // Where nothing else in the statement has changed and nothing can fail, there
                        // is nothing to keep for the case that it does.
                        let slot = &code.globals[usize::from(index)].slot;
                        slot.replace(&evaluator.interp.journal, Some(value));
                    }
                    Op::Check { local } => {
                        if let Value::Unbound = reg!(local) {
                            slow!(unbound(local));
                        }
                    }

                    Op::Add { to, a, b } => plain!(add, BinaryOp::Add, to, a, b),
                    Op::Sub { to, a, b } => plain!(sub, BinaryOp::Sub, to, a, b),
                    Op::Mul { to, a, b } => plain!(mul, BinaryOp::Mul, to, a, b),
                    Op::Mod { to, a, b } => plain!(rem, BinaryOp::Mod, to, a, b),
                    Op::FloorDiv { to, a, b } => plain!(floor_div, BinaryOp::FloorDiv, to, a, b),
                    Op::Div { to, a, b } => plain!(div, BinaryOp::Div, to, a, b),
                    Op::Binary { op, to, a, b } => match Plain::binary(op, &reg!(a), &reg!(b)) {
                        Some(Plain::Int(value)) => put_int(&mut reg!(to), value),
                        Some(Plain::Float(value)) => put_float(&mut reg!(to), value),
                        None => slow!(binary(op, to, a, b)),
                    },
                    Op::Update { op, to, a, b } => match Plain::binary(op, &reg!(a), &reg!(b)) {
                        Some(Plain::Int(value)) => put_int(&mut reg!(to), value),
                        Some(Plain::Float(value)) => put_float(&mut reg!(to), value),
                        None => slow!(update(op, to, a, b, false)),
                    },
                    Op::UpdateLast { op, to, a, b } => {
                        match Plain::binary(op, &reg!(a), &reg!(b)) {
                            Some(Plain::Int(value)) => put_int(&mut reg!(to), value),
                            Some(Plain::Float(value)) => put_float(&mut reg!(to), value),
                            None => slow!(update(op, to, a, b, true)),
                        }
                    }
                    Op::Unary { op, to, a } => slow!(unary(op, to, a)),
                    Op::Compare { op, to, a, b } => {
                        match arithmetic::compare(op, &reg!(a), &reg!(b)) {
                            Some(truth) => put(&mut reg!(to), Value::Bool(truth)),
                            None => slow!(compare(op, to, a, b)),
                        }
                    }
                    Op::Unless { op, a, b } => {
                        let holds = match arithmetic::compare(op, &reg!(a), &reg!(b)) {
                            Some(truth) => truth,
                            None => slow!(compares(op, a, b)),
                        };
                        if holds {
                            pc += 1;
                        } else {
                            jump!();
                        }
                    }
                    Op::When { op, a, b } => {
                        let holds = match arithmetic::compare(op, &reg!(a), &reg!(b)) {
                            Some(truth) => truth,
                            None => slow!(compares(op, a, b)),
                        };
                        if holds {
                            jump!();
                        } else {
                            pc += 1;
                        }
                    }

                    Op::Jump { to } => pc = to as usize,
                    Op::JumpBack { to } => {
                        self.turns += 1;
                        if self.turns >= TURNS {
                            self.turns = 0;
                            check!(op::look_around(evaluator, code.span_at(pc - 1)));
                        }
                        pc = to as usize;
                    }
                    Op::JumpIf { value, to } => {
                        let truth = match &reg!(value) {
                            Value::Bool(truth) => *truth,
                            Value::Int(number) => *number != 0,
                            Value::None => false,
                            _ => slow!(truth(value)),
                        };
                        if truth {
                            pc = to as usize;
                        }
                    }
                    Op::JumpIfNot { value, to } => {
                        let truth = match &reg!(value) {
                            Value::Bool(truth) => *truth,
                            Value::Int(number) => *number != 0,
                            Value::None => false,
                            _ => slow!(truth(value)),
                        };
                        if !truth {
                            pc = to as usize;
                        }
                    }

                    Op::Next { to, iter } => {
                        let at = usize::from(iter);
                        // The numbers of a range: the next one, how many are left, the step.
                        if let [Value::Int(next), Value::Int(left), Value::Int(step), ..] =
                            &mut registers[at..]
                        {
                            if *left == 0 {
                                jump!();
                            } else {
                                let item = *next;
                                *next = item.wrapping_add(*step);
                                *left = left.wrapping_sub(1);
                                put_int(&mut reg!(to), item);
                                pc += 1;
                            }
                            continue;
                        }
                        match quick::next(registers, to, iter) {
                            quick::Next::Item => {
                                pc += 1;
                                continue;
                            }
                            quick::Next::End => {
                                jump!();
                                continue;
                            }
                            quick::Next::Unknown => {}
                        }
                        let mut context =
                            op::Context { evaluator, code, registers: &mut *registers, at: pc - 1 };
                        match check!(context.step(iter)) {
                            Step::Item(value) => {
                                put(&mut reg!(to), value);
                                pc += 1;
                            }
                            Step::End => jump!(),
                            Step::Resume(generator) => {
                                switch!(self.next_of(generator, to));
                            }
                        }
                    }
                    Op::Subscript { to, base, index } => {
                        if !quick::item(evaluator, registers, to, (base, index)) {
                            slow!(subscript(to, base, index));
                        } else {
                            forget(registers, code.first_temporary, base);
                        }
                        pc += 1;
                    }
                    Op::SetSubscript { base, index, from } => {
                        if !quick::put_element(evaluator, code, registers, (base, index), from)
                            && !quick::store(evaluator, code, registers, (base, index), from)
                        {
                            slow!(set_subscript(base, index, from, false));
                        }
                        pc += 1;
                    }
                    Op::SetSubscriptLast { base, index, from } => {
                        slow!(set_subscript(base, index, from, true));
                        pc += 1;
                    }
                    Op::ItemToUpdate { first } => {
                        let places = (first, first + 1);
                        if !quick::item(evaluator, registers, first + 2, places) {
                            slow!(item_to_update(first));
                        }
                        pc += 1;
                    }
                    Op::UpdateItem { op, first, is_last } => {
                        if is_last || !quick::update(evaluator, code, registers, op, first) {
                            slow!(update_item(op, first, is_last));
                        }
                        pc += 1;
                    }
                    Op::Places { .. } => {}
                    Op::Text { value } => match reg!(value) {
                        Value::Str(_) | Value::Int(_) | Value::Float(_) => {}
                        _ => slow!(text(value)),
                    },
                    Op::Forget { value } => forget(registers, 0, value),

                    Op::Attribute { to, object, name } => {
                        let places = (to, object);
                        if attribute::known_field(evaluator, code, registers, places, name) {
                            continue;
                        }
                        if let Some(getter) = slow!(attribute(to, object, name)) {
                            let first = code.first_temporary;
                            switch!(self.call_getter(getter, to, object, first));
                        }
                    }
                    Op::SetAttribute { object, from, name } => {
                        let places = (object, from);
                        if !attribute::set_known_field(evaluator, code, registers, places, name) {
                            slow!(set_attribute(object, from, name));
                        }
                    }
                    Op::Method { to, object, name } => {
                        let places = (to, object);
                        if !attribute::known_method(evaluator, code, registers, places, name) {
                            slow!(method(to, object, name));
                        }
                    }
                    Op::Call { to, callee, site } => {
                        let site = &code.sites[usize::from(site)];
                        let at = usize::from(callee);
                        if let Value::Closure(_) = registers[at] {
                            switch!(self.call(to, callee, callee + 1, site));
                        }
                        match quick::call(evaluator, &mut registers[at..], 1, site) {
                            Some(value) => put(&mut reg!(to), value),
                            None => switch!(self.call_other(to, callee, callee + 1, site)),
                        }
                    }
                    Op::CallMethod { to, callee, site } => {
                        let site = &code.sites[usize::from(site)];
                        let at = usize::from(callee);
                        if let Value::Closure(_) = registers[at] {
                            switch!(self.call_method(to, callee, site));
                        }
                        match quick::call(evaluator, &mut registers[at..], 2, site) {
                            Some(value) => put(&mut reg!(to), value),
                            None => switch!(self.call_other_method(to, callee, site)),
                        }
                    }
                    Op::Return { value } => stop!(self.leave(value)),
                    Op::Yield { to, value } => {
                        _ = to;
                        let value = take(registers, code.first_temporary, value);
                        stop!(SourceResult::Ok(self.give_out(value)));
                    }
                    Op::YieldFrom { to, iter } => stop!(self.yield_from(to, iter)),
                    Op::Commit => {
                        if self.commits {
                            check!(op::commit(evaluator, code.span_at(pc - 1)));
                        }
                    }
                    Op::Cell { to, index } => {
                        let is_there = match &*self.frame.cells()[usize::from(index)].borrow() {
                            Some(value) => {
                                put_copy(&mut reg!(to), value);
                                true
                            }
                            None => false,
                        };
                        if !is_there {
                            slow!(unbound_cell(index));
                        }
                    }
                    Op::SetCell { from, index } => {
                        let value = take(registers, code.first_temporary, from);
                        op::ensure(evaluator);
                        op::set_cell(evaluator, &self.frame.cells()[usize::from(index)], value);
                    }
                    Op::DeleteCell { index } => {
                        op::ensure(evaluator);
                        let journal = &evaluator.interp.journal;
                        let cell = &self.frame.cells()[usize::from(index)];
                        let before = cell.replace(journal, None);
                        if before.is_none() {
                            slow!(unbound_cell(index));
                        }
                    }
                    Op::FreshCell { index } => {
                        let journal = &evaluator.interp.journal;
                        let made = crate::interp::shared::Shared::made_in(journal, None);
                        if let Some(extra) = &mut self.frame.extra {
                            extra.cells[usize::from(index)] = std::rc::Rc::new(made);
                        }
                    }
                    Op::Free { to, index } => {
                        match &*function.captured[usize::from(index)].borrow() {
                            Some(value) => put_copy(&mut reg!(to), value),
                            None => slow!(unbound_free(index)),
                        }
                    }
                    Op::SetFree { from, index } => {
                        let value = take(registers, code.first_temporary, from);
                        op::ensure(evaluator);
                        op::set_cell(evaluator, &function.captured[usize::from(index)], value);
                    }
                    Op::Unpack { from, first, count } => {
                        match quick::unpack(registers, from, first, count) {
                            true => forget(registers, code.first_temporary, from),
                            false => slow!(unpack(from, first, usize::from(count), None)),
                        }
                    }
                    Op::DeleteFree { index } => {
                        op::ensure(evaluator);
                        let journal = &evaluator.interp.journal;
                        if function.captured[usize::from(index)].replace(journal, None).is_none() {
                            slow!(unbound_free(index));
                        }
                    }
                    Op::Function { to, first, index } => {
                        let mut context =
                            op::Context { evaluator, code, registers: &mut *registers, at: pc - 1 };
                        let cells = self.frame.cells();
                        context.function(to, first, index, cells, &function.captured);
                    }
                    Op::Class { to, count } => {
                        let mut context = op::Context { evaluator, code, registers, at: pc - 1 };
                        let result = context.class(to, count, self.frame.cells());
                        check!(result);
                    }
                    Op::IfUnbound { local } => {
                        if let Value::Unbound = reg!(local) {
                            pc += 1;
                        } else {
                            jump!();
                        }
                    }
                    Op::Catches { error, class } => {
                        if slow!(catches(error, class)) {
                            pc += 1;
                        } else {
                            jump!();
                        }
                    }
                    Op::IfExit { state, number } => {
                        if matches!(&reg!(state), Value::Int(exit) if *exit == i64::from(number)) {
                            pc += 1;
                        } else {
                            jump!();
                        }
                    }
                    Op::Raise { exception, cause } => {
                        self.frame.pc = pc;
                        return Err(self.raise(exception, cause));
                    }
                    Op::Reraise => {
                        self.frame.pc = pc;
                        return Err(self.reraise());
                    }
                    Op::Fail { index } => {
                        let failure = code.failures[usize::from(index)].clone();
                        check!(Err(Box::new(failure)));
                    }
                    _ => slow!(other(operation)),
                }
            }
        }
    }
}
