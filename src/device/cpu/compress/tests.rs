use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample, with_threads};
use crate::layout::{Layout, Shape};

fn check<T: Sample>(dice: &mut Dice, mask_layout: Layout, value_layout: Layout) {
    let flag = Interrupt::default();
    let mask = Array::<bool>::new(dice, mask_layout);
    let values = Array::<T>::new(dice, value_layout);
    let truths = mask.values();
    let expected: Vec<u64> =
        truths.iter().zip(values.bits()).filter(|(keep, _)| **keep).map(|(_, bits)| bits).collect();
    let (got, places) = with_threads(|| {
        let (mut mask, mut values) = (mask.clone(), values.clone());
        let begins = begins_of_pieces(mask.elements(), &flag).expect("nobody interrupts");
        let count = total(&begins);
        assert_eq!(count, expected.len());
        let shape = Shape::from([count]);
        let mut out = Array::<T>::contiguous(&mut Dice(9), &shape);
        compress_elements(mask.elements(), &begins, values.elements(), out.elements(), &flag)
            .expect("nobody interrupts");
        let mut outs: Vec<Array<i64>> =
            (0..mask.layout.rank()).map(|_| Array::contiguous(&mut Dice(9), &shape)).collect();
        let places: Vec<Elements<'_>> = outs.iter_mut().map(Array::elements).collect();
        positions_elements(mask.elements(), &begins, &places, &flag).expect("nobody interrupts");
        (out.bits(), outs.iter().map(Array::values).collect::<Vec<_>>())
    });
    assert_eq!(got, expected);
    let strides = mask.layout.shape.contiguous_strides();
    let points = (0..truths.len()).filter(|at| truths[*at]);
    for (number, point) in points.enumerate() {
        for (axis, places) in places.iter().enumerate() {
            let coordinate = point / strides[axis] as usize % mask.layout.shape[axis];
            assert_eq!(places[number], coordinate as i64);
        }
    }
}

#[test]
fn selects_through_any_layout() {
    let mut dice = Dice(1);
    for _ in 0..120 {
        let shape = dice.shape(0);
        let layouts = [dice.layout(&shape), dice.layout(&shape), dice.layout(&shape)];
        let [mask, values, others] = layouts;
        check::<u8>(&mut dice, mask.clone(), values.clone());
        check::<i16>(&mut dice, mask.clone(), others.clone());
        check::<f32>(&mut dice, mask.clone(), values);
        check::<f64>(&mut dice, mask, others);
    }
}

#[test]
fn selects_from_many_pieces() {
    let mut dice = Dice(2);
    let shape = Shape::from([3, 70_001]);
    let plain = Layout::contiguous(shape.clone());
    check::<i8>(&mut dice, plain.clone(), plain.clone());
    check::<bool>(&mut dice, plain.clone(), plain.clone());
    check::<i16>(&mut dice, plain.clone(), plain.clone());
    check::<i32>(&mut dice, plain.clone(), plain.clone());
    check::<i64>(&mut dice, plain.clone(), plain);
    let (mask, values) = (dice.layout(&shape), dice.layout(&shape));
    check::<f32>(&mut dice, mask, values);
}

#[test]
fn full_and_empty_masks() {
    let flag = Interrupt::default();
    for len in [0, 1, 63, 64, 65, 1_000] {
        for truth in [false, true] {
            let mut mask = Array::of(vec![truth; len], [len]);
            let mut values = Array::of((0..len as i32).collect(), [len]);
            let count = if truth { len } else { 0 };
            let mut out = Array::of(vec![-1; count], [count]);
            let begins = begins_of_pieces(mask.elements(), &flag).expect("nobody interrupts");
            assert_eq!(total(&begins), count);
            compress_elements(mask.elements(), &begins, values.elements(), out.elements(), &flag)
                .expect("nobody interrupts");
            assert_eq!(out.data, (0..count as i32).collect::<Vec<_>>());
        }
    }
}

#[test]
fn sees_the_interrupt() {
    let flag = Interrupt::default();
    flag.raise();
    let mut mask = Array::of(vec![true; 10], [10]);
    assert_eq!(begins_of_pieces(mask.elements(), &flag), Err(Error::Interrupted));
}
