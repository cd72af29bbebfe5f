//! `groupby` and `tee`: iterators that share another.

use std::collections::VecDeque;
use std::rc::Rc;

use super::super::super::Call;
use super::{look_at, of};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::iterator::{Iter, Stream};
use crate::interp::shared::{Contents, Shared};
use crate::interp::value::Value;

/// What `groupby` and its groups share: the item that comes next and its key, and which group it
/// belongs to.
#[derive(Clone)]
struct Runs {
    items: Rc<Iter>,
    key: Value,
    /// The item that was read and not given yet, with its key.
    ahead: Option<(Value, Value)>,
    /// The key of the run at hand, and its number.
    current: Option<Value>,
    number: usize,
}

impl Runs {
    /// Reads an item ahead, if none is there. False at the end.
    fn read(&mut self, evaluator: &Evaluator<'_>) -> Result<bool, Fault> {
        if self.ahead.is_none()
            && let Some(item) = evaluator.next(&self.items)?
        {
            let key = match &self.key {
                Value::None => item.clone(),
                key => evaluator.call_value(key, [item.clone()], [])?,
            };
            self.ahead = Some((key, item));
        }
        Ok(self.ahead.is_some())
    }

    /// Whether the item ahead belongs to the run at hand.
    fn continues(&self, evaluator: &Evaluator<'_>) -> Result<bool, Fault> {
        match (&self.ahead, &self.current) {
            (Some((key, _)), Some(current)) => Ok(evaluator.same_or_equal(current, key)?),
            _ => Ok(false),
        }
    }
}

#[derive(Clone)]
struct GroupBy(Rc<Shared<Runs>>);

impl Stream for GroupBy {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let mut runs = self.0.borrow().clone();
        while runs.read(evaluator)? && runs.continues(evaluator)? {
            evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
            runs.ahead = None;
        }
        runs.current = runs.ahead.as_ref().map(|(key, _)| key.clone());
        runs.number += 1;
        let (key, number) = (runs.current.clone(), runs.number);
        *self.0.change(&evaluator.interp.journal) = runs;
        let Some(key) = key else { return Ok(None) };
        let group =
            Iter::value(evaluator, "itertools._grouper", Group { runs: self.0.clone(), number });
        Ok(Some(Value::tuple([key, group])))
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.0.try_borrow().iter().for_each(|runs| Contents::visit(&**runs, look));
    }
}

impl Contents for Runs {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look_at(&self.items, look);
        look(&self.key);
        self.current.iter().for_each(&mut *look);
        self.ahead.iter().for_each(|(key, item)| {
            look(key);
            look(item);
        });
    }

    fn bytes(&self) -> usize {
        size_of::<Runs>()
    }
}

#[derive(Clone)]
struct Group {
    runs: Rc<Shared<Runs>>,
    number: usize,
}

impl Stream for Group {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let mut runs = self.runs.borrow().clone();
        // A group ends when the next one begins.
        if runs.number != self.number {
            return Ok(None);
        }
        let item = match runs.read(evaluator)? && runs.continues(evaluator)? {
            true => runs.ahead.take().map(|(_, item)| item),
            false => None,
        };
        *self.runs.change(&evaluator.interp.journal) = runs;
        Ok(item)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    // What the groups share is shown by the iterator that made them.
    fn visit(&self, _: &mut dyn FnMut(&Value)) {}
}

pub(super) fn groupby(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (items, key) = (of(call, 0)?, call.value(1).clone());
    let runs = Runs { items, key, ahead: None, current: None, number: 0 };
    Ok(Iter::value(&call.evaluator, "itertools.groupby", GroupBy(Rc::new(runs.into()))))
}

/// What the parts of a `tee` share: for each part, the items that it has not given yet.
#[derive(Clone)]
struct Waiting(Vec<VecDeque<Value>>);

impl Contents for Waiting {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.0.iter().flatten().for_each(look);
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|part| part.len() * size_of::<Value>()).sum()
    }
}

#[derive(Clone)]
struct Tee {
    items: Rc<Iter>,
    waiting: Rc<Shared<Waiting>>,
    number: usize,
}

impl Stream for Tee {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let journal = &evaluator.interp.journal;
        let is_empty = self.waiting.borrow().0[self.number].is_empty();
        if is_empty {
            let Some(item) = evaluator.next(&self.items)? else { return Ok(None) };
            crate::interp::room::items(&evaluator.interp.engine, 1)?;
            self.waiting.change(journal).0.iter_mut().for_each(|part| part.push_back(item.clone()));
        }
        Ok(self.waiting.change(journal).0[self.number].pop_front())
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look_at(&self.items, look);
        // What the parts share is shown by the first.
        let Some(waiting) = self.waiting.try_borrow().filter(|_| self.number == 0) else { return };
        Contents::visit(&*waiting, look);
    }
}

pub(super) fn tee(call: &mut Call<'_>) -> Result<Value, Fault> {
    let count = call.int(1)?;
    let Ok(count) = usize::try_from(count) else {
        return Err(call.fault_at(1, Fault::value_error("n must be >= 0")));
    };
    crate::interp::room::items(call.engine(), count.saturating_mul(4))?;
    let items = of(call, 0)?;
    let waiting = Rc::new(Shared::from(Waiting(vec![VecDeque::new(); count])));
    let part = |number| {
        let (items, waiting) = (items.clone(), waiting.clone());
        Iter::value(&call.evaluator, "itertools._tee", Tee { items, waiting, number })
    };
    Ok(Value::tuple((0..count).map(part).collect::<Vec<_>>()))
}
