//! Loops: what they go through, and unpacking.

use std::rc::Rc;

use super::entry_loop;
use super::op::Context;
use crate::diag::SourceResult;
use crate::interp::compile::Reg;
use crate::interp::object::generator::Generator;
use crate::interp::value::Value;

/// What a loop meets next.
pub(super) enum Step {
    Item(Value),
    End,
    /// A generator's frame says.
    Resume(Rc<Generator>),
}

impl Context<'_, '_> {
    /// What a loop needs to go through a value that [`quick::iter`](super::quick::iter) does not know.
    pub fn iter(&mut self, to: Reg, value: Reg) -> SourceResult<()> {
        let value = self.take(value);
        self.begin();
        if let Value::Object(_) = value
            && let Some(iter) = self.evaluator.own_iterator(&value)
        {
            let iter = iter.map_err(|fault| fault.placed(self.span()))?;
            self.set(to, iter);
            return Ok(());
        }
        let iter = self.evaluator.place(self.evaluator.iter(&value), self.span())?;
        self.set(to, Value::Iterator(iter));
        Ok(())
    }

    /// The next item of what `iter` goes through.
    pub fn step(&mut self, iter: Reg) -> SourceResult<Step> {
        let at = usize::from(iter);
        let item = match &mut self.registers[at..] {
            [Value::List(items), Value::Int(at), ..] => {
                let item = items.borrow().get(*at as usize).cloned();
                match item.is_some() {
                    true => *at += 1,
                    // What is appended later does not count.
                    false => *at = i64::MAX,
                }
                item
            }
            [Value::Tuple(items), Value::Int(at), ..] => {
                let item = items.get(*at as usize).cloned();
                *at += 1;
                item
            }
            [Value::Str(text), Value::Int(at), ..] => {
                let letter = text.get(*at as usize..).and_then(|rest| rest.chars().next());
                letter.map(|letter| {
                    *at += letter.len_utf8() as i64;
                    self.evaluator.interp.letter(letter)
                })
            }
            [Value::Int(next), Value::Int(end), Value::Int(step), ..] => {
                let item = *next;
                let is_there = item != *end;
                if is_there {
                    *next = item.wrapping_add(*step);
                }
                is_there.then_some(Value::Int(item))
            }
            [Value::Tensor(row), Value::Int(at), ..] => {
                let index = *at;
                let is_there = row.shape().first().is_some_and(|len| index < *len as i64);
                *at += i64::from(is_there);
                let row = row.clone();
                self.begin();
                let element = is_there.then(|| self.evaluator.element(&row, index)).transpose();
                self.evaluator.place(element, self.span())?.map(Value::Tensor)
            }
            state @ [Value::Dict(_) | Value::View(_), ..] => {
                let mut item = None;
                let entry = entry_loop::step(state, |shown, key, value| {
                    item = Some(shown.of((key, value)));
                });
                self.evaluator.place(entry.transpose(), self.span())?;
                item
            }
            [Value::Generator(generator), ..] => return Ok(Step::Resume(generator.clone())),
            [Value::Iterator(iter), ..] => {
                let iter = iter.clone();
                self.begin();
                self.evaluator.place(self.evaluator.next(&iter), self.span())?
            }
            _ => None,
        };
        Ok(item.map_or(Step::End, Step::Item))
    }

    /// Makes sure that a generator expression has something to go through.
    pub fn iterable(&mut self, value: Reg) -> SourceResult<()> {
        match self.get(value) {
            Value::Range(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Str(_)
            | Value::Generator(_) => Ok(()),
            other => {
                let iter = self.evaluator.place(self.evaluator.iter(other), self.span())?;
                self.set(value, Value::Iterator(iter));
                Ok(())
            }
        }
    }

    pub fn unpack(
        &mut self,
        from: Reg,
        first: Reg,
        count: usize,
        star: Option<usize>,
    ) -> SourceResult<()> {
        let value = self.take(from);
        self.begin();
        let items = self.evaluator.unpack(&value, count, star, self.span())?;
        drop(value);
        for (register, item) in self.registers[usize::from(first)..].iter_mut().zip(items) {
            *register = item;
        }
        Ok(())
    }
}
