//! The loop over what is frequent and can't fail: numbers, comparisons, jumps, items, fields, calls of the
//! program's functions and of built-in ones that answer at once.
//!
//! A processor has few registers, and this loop has what it needs all the time in them, because anything but numbers
//! is done by functions that are not put in line. What it can't do it gives back, and nothing of it has happened.

use super::attribute::{known_field, known_method, set_known_field};
use super::frame::{Running, TURNS};
use super::inline::{
    Ranged, add_number, compared, compared_with, holds, holds_with, let_go, next_of_range,
    plain_truth, rare, remainder,
};
use super::register::{put_bool, put_float, put_int, put_none, put_unbound};
use super::window::Registers;
use super::{Machine, comprehension, dot, fstring, leaf, number, quick, steps, there};
use crate::interp::compile::{Op, Reg};
use crate::interp::value::Value;
use crate::syntax::ast::{BinaryOp, UnaryOp};

impl Machine<'_> {
    /// Runs operations until one has to be done elsewhere, which stands before the running frame's `pc`.
    /// False where there is none: with `ONCE` behind each operation, else where a frame runs that has more
    /// registers than `R`.
    #[inline(never)]
    #[allow(clippy::too_many_lines)]
    pub(super) fn run_frequent<R: Registers + ?Sized, const ONCE: bool>(&mut self) -> bool {
        let evaluator = self.evaluator;
        let mut running = self.frames.top_mut().run();
        'frame: loop {
            let Running { mut function, base, pc } = running;
            let mut pc = pc as usize;
            let code = &*function.code;
            let ops = code.ops.as_slice();
            let own = &mut self.stack[base..];
            if !R::has_room(own, code.registers) {
                return self.frames.top_mut().leave_to_wider(function, pc);
            }
            let registers = R::of(own);
            // Something else does it.
            macro_rules! leave {
                () => {{
                    self.frames.top_mut().stop_at(function, pc);
                    return true;
                }};
            }
            // Another frame runs, if there is one now.
            macro_rules! frame {
                ($is_there:expr) => {{
                    self.frames.top_mut().stop_at(function, pc);
                    if !$is_there {
                        return true;
                    }
                    if ONCE {
                        return false;
                    }
                    running = self.frames.top_mut().run();
                    continue 'frame;
                }};
            }
            // Another frame runs, which has been handed over.
            macro_rules! run {
                ($next:expr) => {{
                    let next: Running = $next;
                    if ONCE {
                        self.frames.top_mut().stop_at(next.function, next.pc as usize);
                        return false;
                    }
                    running = next;
                    continue 'frame;
                }};
            }
            // A function of the program with the arguments that it takes.
            macro_rules! call {
                ($callee:expr, $first:expr, $to:expr) => {
                    match self.call_exactly(($callee, $first, $to), function, pc) {
                        Ok(next) => run!(next),
                        Err(own) => {
                            function = own;
                            leave!();
                        }
                    }
                };
            }
            // Goes on where it was done.
            macro_rules! ask {
                ($is_done:expr) => {
                    if !$is_done {
                        leave!();
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
            macro_rules! known {
                ($truth:expr) => {
                    match $truth {
                        Some(truth) => truth,
                        None => leave!(),
                    }
                };
            }
            macro_rules! other {
                ($op:expr, $to:expr, $a:expr, $b:expr) => {{
                    if let Value::Object(_) = registers.get($a) {
                        frame!(self.ask_at_once());
                    }
                    ask!(steps::binary(evaluator, registers.all(), $op, $to, ($a, $b)))
                }};
            }
            // Of two integers or two floats at once, of other numbers by the general way.
            macro_rules! arithmetic {
                ($op:ident, $checked:ident, $float:tt, $to:expr, $a:expr, $b:expr) => {
                    match (registers.get($a), registers.get($b)) {
                        (Value::Int(a), Value::Int(b)) => {
                            let value = known!(a.$checked(*b));
                            put_int(registers.at($to), value);
                        }
                        (Value::Float(a), Value::Float(b)) => {
                            let value = a $float b;
                            put_float(registers.at($to), value);
                        }
                        _ => other!(BinaryOp::$op, $to, $a, $b),
                    }
                };
            }
            // Does the jump that stands next, where a comparison comes to this.
            macro_rules! jump_if {
                ($when:literal, $truth:expr) => {
                    match known!($truth) {
                        $when => jump!(),
                        _ => pc += 1,
                    }
                };
            }
            // A method and its receiver, where the function stands there already most often.
            macro_rules! method {
                ($to:expr, $object:expr, $name:expr) => {{
                    let (places, name) = (($to, $object), $name);
                    if !dot::put_method(evaluator, code, registers, places, name) {
                        ask!(known_method(evaluator, code, registers.all(), places, name));
                    }
                }};
            }
            loop {
                let at = pc;
                pc += 1;
                // Each arm reads the parts that it needs.
                match ops[at] {
                    Op::Const { to, index } => match code.constants[index as usize] {
                        Value::Int(value) => put_int(registers.at(to), value),
                        Value::Bool(value) => put_bool(registers.at(to), value),
                        Value::None => put_none(registers.at(to)),
                        _ => steps::constant(code, registers.at(to), index),
                    },
                    Op::Copy { to, from } => match *registers.get(from) {
                        Value::Int(value) => put_int(registers.at(to), value),
                        Value::Float(value) => put_float(registers.at(to), value),
                        _ => {
                            if let Some((to, from)) = registers.pair(to, from) {
                                steps::copy_other(to, from);
                            }
                        }
                    },
                    Op::Move { to, from } => match *registers.get(from) {
                        Value::Int(value) => put_int(registers.at(to), value),
                        Value::Float(value) => put_float(registers.at(to), value),
                        _ => {
                            if let Some((to, from)) = registers.pair(to, from) {
                                steps::move_other(to, from);
                            }
                        }
                    },
                    Op::Global { to, index } => {
                        if !leaf::put_global(code, registers.at(to), index) {
                            ask!(steps::global(code, registers.at(to), index));
                        }
                    }
                    Op::Check { local } => ask!(!matches!(registers.get(local), Value::Unbound)),

                    Op::Add { to, a, b } => arithmetic!(Add, checked_add, +, to, a, b),
                    Op::Sub { to, a, b } => arithmetic!(Sub, checked_sub, -, to, a, b),
                    Op::AddInt { to, a, number } => {
                        ask!(add_number(evaluator, registers, (to, a), number, 1))
                    }
                    Op::SubInt { to, a, number } => {
                        ask!(add_number(evaluator, registers, (to, a), number, -1))
                    }
                    Op::Mul { to, a, b } => arithmetic!(Mul, checked_mul, *, to, a, b),
                    Op::Update { op: BinaryOp::Add, to, a, b } => {
                        match (registers.get(a), registers.get(b)) {
                            (Value::Int(a), Value::Int(b)) if a.checked_add(*b).is_some() => {
                                let sum = a.wrapping_add(*b);
                                put_int(registers.at(to), sum);
                            }
                            (Value::Float(a), Value::Float(b)) => {
                                let sum = a + b;
                                put_float(registers.at(to), sum);
                            }
                            _ => ask!(steps::add_to(evaluator, registers.all(), to, a, b)),
                        }
                    }
                    Op::Div { to, a, b } => match (registers.get(a), registers.get(b)) {
                        (Value::Float(a), Value::Float(b)) if *b != 0.0 => {
                            let quotient = a / b;
                            put_float(registers.at(to), quotient);
                        }
                        _ => other!(BinaryOp::Div, to, a, b),
                    },
                    Op::Mod { to, a, b } => {
                        if !remainder(registers, to, a, b) {
                            other!(BinaryOp::Mod, to, a, b);
                        }
                    }
                    Op::FloorDiv { to, a, b } => other!(BinaryOp::FloorDiv, to, a, b),
                    Op::Binary { op, to, a, b }
                    | Op::Update { op, to, a, b }
                    | Op::UpdateLast { op, to, a, b } => other!(op, to, a, b),
                    Op::Unary { op: UnaryOp::Not, to, a } => {
                        let truth = known!(plain_truth(registers.get(a)));
                        put_bool(registers.at(to), !truth);
                    }
                    Op::Unary { op: UnaryOp::Neg, to, a } => match *registers.get(a) {
                        Value::Float(value) => put_float(registers.at(to), -value),
                        Value::Int(value) if value != i64::MIN => put_int(registers.at(to), -value),
                        _ => leave!(),
                    },
                    Op::Compare { op, to, a, b } => {
                        let truth = known!(compared(registers, op, a, b));
                        put_bool(registers.at(to), truth);
                    }
                    Op::CompareInt { op, to, a, number } => {
                        let truth = known!(compared_with(op, registers.get(a), number));
                        put_bool(registers.at(to), truth);
                    }
                    Op::UnlessInt { op, a, number } => {
                        jump_if!(false, holds_with(op, registers.get(a), number));
                    }
                    Op::WhenInt { op, a, number } => {
                        jump_if!(true, holds_with(op, registers.get(a), number));
                    }
                    Op::Unless { op, a, b } => jump_if!(false, holds(registers, op, a, b)),
                    Op::When { op, a, b } => jump_if!(true, holds(registers, op, a, b)),

                    Op::Jump { to } => pc = to as usize,
                    Op::JumpBack { to } => {
                        self.turns += 1;
                        if self.turns >= TURNS {
                            leave!();
                        }
                        pc = to as usize;
                    }
                    Op::Again { to, iter, back } => {
                        self.turns += 1;
                        if self.turns >= TURNS {
                            leave!();
                        }
                        pc = at - usize::from(back);
                        // A loop over a range goes on at once.
                        if let Ranged::Item(item) = next_of_range(registers, iter) {
                            put_int(registers.at(to), item);
                            pc += 2;
                        }
                    }
                    Op::JumpIf { value, to } => {
                        if known!(plain_truth(registers.get(value))) {
                            pc = to as usize;
                        }
                    }
                    Op::JumpIfNot { value, to } => {
                        if !known!(plain_truth(registers.get(value))) {
                            pc = to as usize;
                        }
                    }

                    Op::Iter { to, value } => {
                        ask!(steps::iter(registers.all(), code.first_temporary, to, value));
                    }
                    Op::Next { to, iter } => match next_of_range(registers, iter) {
                        Ranged::Item(item) => {
                            put_int(registers.at(to), item);
                            pc += 1;
                        }
                        Ranged::End => jump!(),
                        Ranged::Unknown if leaf::next_item(registers, to, iter) => pc += 1,
                        Ranged::Unknown => {
                            match steps::next(evaluator, code, registers.all(), pc, (to, iter)) {
                                (quick::Next::Item, done) => pc += done,
                                (quick::Next::End, _) => jump!(),
                                (quick::Next::Unknown, _) => frame!(self.resume_at_once(iter, to)),
                            }
                        }
                    },
                    Op::Subscript { to, base, index } => {
                        let places = (base, index);
                        if !leaf::item(registers, to, places, code.first_temporary) {
                            ask!(steps::subscript(evaluator, code, registers.all(), to, places));
                        }
                        pc += 1;
                    }
                    Op::SetSubscript { base, index, from, is_last } => {
                        let (at, end) = ((base, index), code.first_temporary);
                        if let Value::Tensor(_) = registers.get(base) {
                            let all = registers.all();
                            ask!(number::store(evaluator, code, all, at, from, is_last));
                        } else if is_last || !leaf::set_item(evaluator, registers, at, from, end) {
                            let all = registers.all();
                            ask!(steps::set_subscript(evaluator, code, all, at, from, is_last));
                        }
                        pc += 1;
                    }
                    Op::ItemToUpdate { first } => {
                        let places = (first, first + 1);
                        if !leaf::item(registers, first + 2, places, Reg::MAX) {
                            ask!(steps::item(evaluator, registers.all(), first + 2, places));
                        }
                        pc += 1;
                    }
                    Op::Element => {
                        if number::element_at_once(evaluator, code, registers.all(), pc) {
                            pc += 3;
                        }
                    }
                    Op::UpdateItem { op, first, is_last } => {
                        ask!(quick::update(evaluator, code, registers.all(), op, first, is_last));
                        pc += 1;
                    }
                    Op::Unpack { from, first, count } => {
                        let from = (from, first);
                        ask!(steps::unpack(registers.all(), code.first_temporary, from, count));
                    }
                    Op::Append { list, item } => {
                        ask!(comprehension::append(evaluator, code, registers.all(), list, item));
                    }
                    Op::SetAdd { set, item } => {
                        ask!(comprehension::set_add(evaluator, code, registers.all(), set, item));
                    }
                    Op::Insert { dict, item } => {
                        ask!(comprehension::insert(evaluator, code, registers.all(), dict, item));
                    }
                    Op::Format { to, first, conversion: 0 } => {
                        ask!(fstring::format_short(registers.all(), to, first));
                    }
                    Op::Spread { value, .. } => {
                        ask!(matches!(registers.get(value), Value::Tuple(_)));
                    }
                    Op::Tuple { to, first, count } => {
                        steps::tuple(registers.all(), to, first, count)
                    }
                    Op::List { to, first, count } => {
                        steps::list(evaluator, registers.all(), to, first, count)
                    }
                    Op::Slice { to, first } => steps::slice(registers.all(), to, first),
                    Op::Join { to, first, count } => {
                        ask!(fstring::join_short(registers.all(), to, first, count));
                    }

                    Op::Attribute { to, object, name } => {
                        let places = (to, object);
                        if !dot::put_field(evaluator, code, registers, places, name)
                            && !known_field(evaluator, code, registers.all(), places, name)
                        {
                            frame!(self.get_at_once(places, name));
                        }
                    }
                    Op::SetAttribute { object, from, name } => {
                        let places = (object, from);
                        if !dot::set_number(evaluator, code, registers, places, name) {
                            let (all, commits) = (registers.all(), self.commits);
                            let is_last = commits && matches!(ops.get(pc), Some(Op::Commit));
                            ask!(set_known_field(evaluator, code, all, places, name, is_last));
                        }
                    }
                    Op::Method { to, object, name } => method!(to, object, name),
                    Op::MethodThere { to, object, name } => {
                        if there::is_known(code, registers.get(object), name) {
                            put_unbound(registers.at(to));
                        } else {
                            method!(to, object, name);
                        }
                    }
                    Op::Call { to, callee, site: at } => {
                        let site = &code.sites[usize::from(at)];
                        match registers.get(callee) {
                            Value::Closure(called) if called.code.exact == site.exact => {
                                call!(callee, callee + 1, to);
                            }
                            Value::Closure(_) | Value::Class(_) | Value::Bound(_) => {
                                frame!(self.begin_at_once(callee, to, at));
                            }
                            _ => {
                                ask!(steps::call(evaluator, registers.all(), (to, callee), 1, site))
                            }
                        }
                    }
                    Op::CallOn { to, from, global } => {
                        if leaf::call_on(evaluator, code, registers, (to, from), global) {
                            pc += 3;
                        }
                    }
                    Op::CallMethod { to, callee, site: at } => {
                        let site = &code.sites[usize::from(at)];
                        match registers.get(callee) {
                            Value::Unbound => {
                                ask!(there::call(evaluator, code, registers, (to, callee), site));
                            }
                            Value::Closure(called) => {
                                let (first, exact) = match registers.get(callee + 1) {
                                    Value::Unbound => (callee + 2, site.exact),
                                    _ => (callee + 1, site.exact + 1),
                                };
                                if called.code.exact == exact {
                                    call!(callee, first, to);
                                }
                                frame!(self.call_method_at_once(callee, first, to, at));
                            }
                            _ => {
                                ask!(steps::call(evaluator, registers.all(), (to, callee), 2, site))
                            }
                        }
                    }
                    Op::Return { value } => match self.leave_to(value, function) {
                        Ok(next) => run!(next),
                        Err(own) => {
                            function = own;
                            frame!(self.leave_at_once(value));
                        }
                    },
                    Op::Yield { to, value } => frame!(self.give_out_at_once(value, to)),
                    Op::Commit => {
                        if self.commits {
                            // What only computes with numbers has begun no transaction.
                            if evaluator.interp.is_in_transaction() {
                                leave!();
                            }
                            evaluator.interp.pass();
                            evaluator.interp.count_part();
                        }
                    }
                    Op::SetGlobal { from, index, is_last } => {
                        if !leaf::set_global(evaluator, code, registers, from, index, is_last) {
                            let all = registers.all();
                            steps::set_global(evaluator, code, all, from, index, is_last);
                        }
                    }
                    Op::Cell { to, index } => {
                        ask!(steps::shared(self.frames.cell(index), registers.at(to)));
                    }
                    Op::SetCell { from, index } => {
                        let (all, cell) = (registers.all(), self.frames.cell(index));
                        steps::set_shared(evaluator, code, all, from, cell);
                    }
                    Op::Free { to, index } => {
                        ask!(steps::shared(function.cell(index), registers.at(to)))
                    }
                    Op::SetFree { from, index } => {
                        let cell = function.cell(index);
                        steps::set_shared(evaluator, code, registers.all(), from, cell);
                    }
                    Op::Function { to, first, index } => {
                        let around = (self.frames.top().cells(), function.captured.as_slice());
                        let (all, places) = (registers.all(), (to, first));
                        steps::function(evaluator, code, all, places, index, around);
                    }
                    Op::Text { value } => {
                        use Value::{Float, Int, Str};
                        ask!(matches!(registers.get(value), Str(_) | Int(_) | Float(_)));
                    }
                    // Nothing is lazy, so that no error waits.
                    Op::Settle if evaluator.interp.engine.pending() == 0 => {}
                    Op::Places { .. } => {}
                    Op::Forget { value } => let_go(registers.at(value)),
                    Op::Catches { error, class } => {
                        jump_if!(false, steps::catches(registers.all(), error, class));
                    }
                    Op::IfUnbound { local } => {
                        jump_if!(false, Some(matches!(registers.get(local), Value::Unbound)));
                    }
                    Op::IfExit { state, number } => {
                        let is_it = |exit: &Value| matches!(exit, Value::Int(exit) if *exit == i64::from(number));
                        jump_if!(false, Some(is_it(registers.get(state))));
                    }
                    // All that is left, so that no operation needs a look whether the table has it.
                    rare!() => leave!(),
                }
                if ONCE {
                    self.frames.top_mut().stop_at(function, pc);
                    return false;
                }
            }
        }
    }
}
