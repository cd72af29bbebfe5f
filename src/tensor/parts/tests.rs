use crate::dtype::{DType, Scalar};
use crate::layout::{Shape, Slice};
use crate::tensor::past::{Attic, Kept};
use crate::tensor::tests::engine;
use crate::tensor::{BinaryOp, Engine, IndexItem, Operand, Tensor};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

fn zeros(e: &Engine, len: usize) -> Tensor {
    let x = e.constant_on(e.device(), Shape::from([len]), Scalar::Int(0), DType::F64);
    e.copy(&x).and_then(|x| e.realize(&[&x]).map(|()| x)).unwrap()
}

fn slice(start: usize, stop: usize, step: usize) -> [IndexItem; 1] {
    let [start, stop, step] = [start, stop, step].map(|at| Some(at as i64));
    [IndexItem::Slice(Slice { start, stop, step })]
}

fn bytes(e: &Engine, x: &Tensor) -> Vec<u8> {
    e.to_host(x).unwrap().bytes
}

fn allocated(e: &Engine) -> u64 {
    e.device().allocator().stats().bytes_allocated
}

/// Writes somewhere: an element, a row that is short or long, one far apart, or by a program.
fn write(e: &Engine, x: &Tensor, random: &mut Random) {
    let len = x.elem_count();
    let at = random.below(len);
    let value = Scalar::Int(random.below(1000) as i64 + 1);
    match random.below(6) {
        0 => assert!(e.store_element(x, &[at as i64], value).unwrap()),
        1 => e.assign(x, &slice(at, (at + 300).min(len), 1), value).unwrap(),
        2 => e.assign(x, &slice(at, (at + 9000).min(len), 1), value).unwrap(),
        3 => e.assign(x, &slice(at, len, 4000), value).unwrap(),
        4 => {
            let part = e.index(x, &slice(at, (at + 50).min(len), 1)).unwrap();
            e.update(BinaryOp::Mul, &part, Scalar::Float(0.5)).unwrap();
        }
        _ => {
            let part = e.index(x, &slice(at, (at + 3000).min(len), 2)).unwrap();
            e.update(BinaryOp::Add, &part, Operand::Scalar(value)).unwrap();
        }
    }
}

#[test]
fn random_writes_come_back() {
    let e = engine();
    let mut random = Random(3);
    // Below the size where pages are kept, and some above it.
    for len in [3000, 20_000, 60_000, 400_000] {
        let x = zeros(&e, len);
        let mut inputs: Vec<(u64, Vec<Kept>, Vec<u8>)> = Vec::new();
        for _ in 0..25 {
            let before = bytes(&e, &x);
            let number = e.begin_input();
            for _ in 0..random.below(5) {
                let begun = bytes(&e, &x);
                e.begin();
                for _ in 0..random.below(6) {
                    write(&e, &x, &mut random);
                }
                if random.below(3) == 0 {
                    if random.below(2) == 0 {
                        e.interrupt().raise();
                    }
                    e.roll_back();
                    e.interrupt().clear();
                    assert_eq!(bytes(&e, &x), begun, "{len}");
                } else {
                    e.last_write(true, || write(&e, &x, &mut random));
                    e.commit();
                }
            }
            inputs.push((number, e.end_input().unwrap(), before));
        }
        // All the way back and forth, twice.
        for _ in 0..2 {
            let mut after = Vec::new();
            for (number, kept, before) in inputs.iter().rev() {
                after.push(bytes(&e, &x));
                e.put_back(kept, Attic::future(*number));
                assert!(bytes(&e, &x) == *before, "{len}");
            }
            for (number, kept, _) in &inputs {
                e.put_back(kept, *number);
                assert!(bytes(&e, &x) == after.pop().unwrap(), "{len}");
            }
        }
    }
}

#[test]
fn a_small_write_to_a_large_tensor_copies_little() {
    let e = engine();
    let x = zeros(&e, 1 << 20);
    let work = |writes: &dyn Fn(usize)| {
        let begun = allocated(&e);
        e.begin_input();
        for turn in 0..50 {
            e.begin();
            writes(turn);
            e.commit();
        }
        let kept = e.end_input().unwrap();
        (allocated(&e) - begun, kept.len())
    };
    // Each transaction keeps its page, and the input the first of them.
    let (copied, kept) = work(&|turn| {
        assert!(e.store_element(&x, &[7], Scalar::Int(turn as i64)).unwrap());
        assert!(e.put_element(&x, &[8], Scalar::Int(1), false), "its page is known");
        assert!(!e.put_element(&x, &[1 << 19], Scalar::Int(1), false), "that one is not");
    });
    assert_eq!((copied, kept), (50 * 2 * super::PAGE as u64, 1));
    // The last write keeps only what the input does not have.
    let (copied, kept) = work(&|turn| {
        let row = slice(1000, 1010, 1);
        e.last_write(true, || e.assign(&x, &row, Scalar::Int(turn as i64))).unwrap();
    });
    assert_eq!((copied, kept), (2 * super::PAGE as u64, 1));
    // Where pages add up the whole is kept, once; a transaction still keeps its own.
    let whole = x.size_bytes() as u64;
    let (copied, kept) = work(&|turn| {
        for page in 0..8 {
            let at = (turn * 8 + page) * super::PAGE / 8;
            e.store_element(&x, &[at as i64], Scalar::Int(5)).unwrap();
        }
    });
    let pages = 50 * 8 * 2 * super::PAGE as u64;
    assert!(kept == 1 && copied > whole && copied < whole + pages, "{copied} in {kept}");
}
