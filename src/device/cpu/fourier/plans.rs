//! Plans: what is computed once for lines of one length, sines and cosines above all.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftPlanner};

use super::number::Number;
use crate::device::Fourier;

/// The lengths of the plans that are kept, added up: of each type some 32 MiB at most.
const KEPT: usize = 1 << 20;
/// How many plans of each type are kept: each is looked at when one is looked for.
const MANY: usize = 64;

/// The plans of a back end, the latest used last.
#[derive(Debug, Default)]
pub struct Plans {
    pub single: Mutex<Cache<f32>>,
    pub double: Mutex<Cache<f64>>,
}

/// The plans for one type.
pub struct Cache<T>(Vec<(Fourier, usize, Plan<T>)>);

/// How lines of one length are transformed.
pub enum Plan<T> {
    Complex(Arc<dyn Fft<T>>),
    Real(Arc<dyn RealToComplex<T>>),
    Conjugate(Arc<dyn ComplexToReal<T>>),
}

impl<T> Clone for Plan<T> {
    fn clone(&self) -> Plan<T> {
        match self {
            Plan::Complex(plan) => Plan::Complex(plan.clone()),
            Plan::Real(plan) => Plan::Real(plan.clone()),
            Plan::Conjugate(plan) => Plan::Conjugate(plan.clone()),
        }
    }
}

impl<T> Default for Cache<T> {
    fn default() -> Cache<T> {
        Cache(Vec::new())
    }
}

impl<T> fmt::Debug for Cache<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} plans)", self.0.len())
    }
}

impl<T: Number> Plan<T> {
    fn new(what: Fourier, n: usize) -> Plan<T> {
        match what {
            Fourier::Complex { inverse } => {
                let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
                Plan::Complex(FftPlanner::new().plan_fft(n, direction))
            }
            Fourier::Real => Plan::Real(RealFftPlanner::new().plan_fft_forward(n)),
            Fourier::Conjugate => Plan::Conjugate(RealFftPlanner::new().plan_fft_inverse(n)),
        }
    }

    /// How many complex numbers it needs besides a line before and after.
    pub fn scratch(&self) -> usize {
        match self {
            Plan::Complex(plan) => {
                plan.get_immutable_scratch_len().max(plan.get_inplace_scratch_len())
            }
            Plan::Real(plan) => plan.get_scratch_len(),
            Plan::Conjugate(plan) => plan.get_scratch_len(),
        }
    }
}

impl Plans {
    /// The plan for lines of `n` numbers, made if need be.
    pub fn get<T: Number>(&self, what: Fourier, n: usize) -> Plan<T> {
        let cache = || T::cache(self).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = cache().take(what, n) {
            return plan;
        }
        // Others may look for theirs meanwhile.
        let plan = Plan::new(what, n);
        cache().put(what, n, plan.clone());
        plan
    }
}

impl<T> Cache<T> {
    fn take(&mut self, what: Fourier, n: usize) -> Option<Plan<T>> {
        let at = self.0.iter().position(|known| (known.0, known.1) == (what, n))?;
        self.0[at..].rotate_left(1);
        self.0.last().map(|known| known.2.clone())
    }

    fn put(&mut self, what: Fourier, n: usize, plan: Plan<T>) {
        if n > KEPT || self.take(what, n).is_some() {
            return;
        }
        self.0.push((what, n, plan));
        let mut total: usize = self.0.iter().map(|known| known.1).sum();
        while total > KEPT || self.0.len() > MANY {
            total -= self.0.remove(0).1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_kept_up_to_a_bound_the_oldest_go_first() {
        let plans = Plans::default();
        let complex = Fourier::Complex { inverse: false };
        let lengths = || -> Vec<usize> {
            plans.double.lock().unwrap().0.iter().map(|(_, n, _)| *n).collect()
        };
        for n in [KEPT / 2, 16, KEPT / 4] {
            plans.get::<f64>(complex, n);
        }
        assert_eq!(lengths(), [KEPT / 2, 16, KEPT / 4]);
        plans.get::<f64>(complex, 16);
        plans.get::<f64>(complex, KEPT / 2 + 1);
        assert_eq!(lengths(), [KEPT / 4, 16, KEPT / 2 + 1]);
        (1..=2 * MANY).for_each(|n| drop(plans.get::<f64>(Fourier::Real, n)));
        assert!(lengths().len() <= MANY);
    }
}
