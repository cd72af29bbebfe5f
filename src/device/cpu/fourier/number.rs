//! The types of real numbers that lines consist of.

use std::sync::Mutex;

use rustfft::FftNum;

use super::super::scratch::Plain;
use super::plans::{Cache, Plans};

/// A real number of a line.
pub trait Number: FftNum + Plain + Default {
    fn of(value: f64) -> Self;

    /// The plans for lines of this type.
    fn cache(plans: &Plans) -> &Mutex<Cache<Self>>;
}

impl Number for f32 {
    fn of(value: f64) -> f32 {
        value as f32
    }

    fn cache(plans: &Plans) -> &Mutex<Cache<f32>> {
        &plans.single
    }
}

impl Number for f64 {
    fn of(value: f64) -> f64 {
        value
    }

    fn cache(plans: &Plans) -> &Mutex<Cache<f64>> {
        &plans.double
    }
}
