use half::{bf16, f16};

use super::*;
use crate::device::cpu::trials::Sample;
use crate::device::cuda::trials::Devices;
use crate::layout::Shape;

fn check<T: Sample + Default>(devices: &Devices, kind: RandomKind, len: usize) {
    let out = devices.room(T::DTYPE, &Shape::from([len]));
    for (seed, counter) in [(1, 0), (0x0123_4567_89ab_cdef, u64::from(u32::MAX) - 5)] {
        let used = [0, 1].map(|device| {
            let backend = devices.0[device].backend();
            backend.random(kind, seed, counter, out.view(device)).unwrap()
        });
        assert_eq!(used[0], used[1], "{kind:?} {} {len}", T::DTYPE);
        assert!(out.bits::<T>(0) == out.bits::<T>(1), "{kind:?} {} {len} {seed}", T::DTYPE);
    }
}

#[test]
fn numbers_have_the_bits_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    for len in [0, 1, 31, 64, 65, 1_000, 70_003] {
        for kind in [RandomKind::Uniform, RandomKind::Normal] {
            check::<f16>(&devices, kind, len);
            check::<bf16>(&devices, kind, len);
            check::<f32>(&devices, kind, len);
            check::<f64>(&devices, kind, len);
        }
        for (low, high) in [(0, 2), (-100, 101), (i64::MIN, i64::MAX)] {
            let kind = RandomKind::Integer { low, high };
            check::<u8>(&devices, kind, len);
            check::<u16>(&devices, kind, len);
            check::<u32>(&devices, kind, len);
            check::<u64>(&devices, kind, len);
            check::<i8>(&devices, kind, len);
            check::<i16>(&devices, kind, len);
            check::<i32>(&devices, kind, len);
            check::<i64>(&devices, kind, len);
            check::<f16>(&devices, kind, len);
            check::<bf16>(&devices, kind, len);
            check::<f32>(&devices, kind, len);
            check::<f64>(&devices, kind, len);
        }
        check::<bool>(&devices, RandomKind::Integer { low: 0, high: 2 }, len);
        check::<i64>(&devices, RandomKind::Integer { low: 5, high: 5 }, len);
    }
}

/// Millions of words: rare ones too must give the same.
#[test]
fn many_normals_have_the_bits_of_the_cpu() {
    let Some(devices) = Devices::find() else { return };
    check::<f32>(&devices, RandomKind::Normal, 3_000_000);
    check::<f64>(&devices, RandomKind::Normal, 1_000_000);
}
