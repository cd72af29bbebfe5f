//! Selecting by a mask, and writing where indices point.

use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use genesis_repl::device::{Device, Interrupt, RandomKind, ScatterOp, Storage, View};
use genesis_repl::dtype::DType;
use genesis_repl::ir::{Access, Space};
use genesis_repl::layout::Layout;
use genesis_repl::memory::{AllocatorConfig, Provenance};

const LEN: usize = 16 << 20;
const PICKS: usize = 4_000_000;

fn allocate(device: &Device, dtype: DType, len: usize) -> Arc<Storage> {
    device.allocate(dtype, len, Provenance::TEMPORARY).expect("the machine has this memory")
}

fn indexing(criterion: &mut Criterion) {
    let device = Device::cpu(AllocatorConfig::default(), Interrupt::default())
        .expect("the default configuration is valid");
    let backend = device.backend();
    let all = Layout::contiguous([LEN].into());
    let (values, mask) = (allocate(&device, DType::F32, LEN), allocate(&device, DType::Bool, LEN));
    let (values, mask) =
        (View { storage: &values, layout: &all }, View { storage: &mask, layout: &all });
    let coin = RandomKind::Integer { low: 0, high: 2 };
    backend.random(RandomKind::Normal, 1, 0, values).expect("nobody interrupts");
    backend.random(coin, 1, 0, mask).expect("nobody interrupts");
    criterion.bench_function("count_true 16M", |bencher| {
        bencher.iter(|| backend.count_true(mask.into()));
    });
    let selection = backend.count_true(mask.into()).expect("nobody interrupts");
    let count = selection.count;
    let some = Layout::contiguous([count].into());
    let (picked, places) =
        (allocate(&device, DType::F32, count), allocate(&device, DType::I64, count));
    let (picked, places) =
        (View { storage: &picked, layout: &some }, View { storage: &places, layout: &some });
    criterion.bench_function("compress 16M", |bencher| {
        bencher.iter(|| backend.compress(mask.into(), &selection, values, picked));
    });
    criterion.bench_function("positions 16M", |bencher| {
        bencher.iter(|| backend.positions(mask.into(), &selection, &[places]));
    });

    let picks = Layout::contiguous([PICKS].into());
    let (index, target) =
        (allocate(&device, DType::I64, PICKS), allocate(&device, DType::F32, LEN));
    let index = View { storage: &index, layout: &picks };
    let anywhere = RandomKind::Integer { low: 0, high: LEN as i64 };
    backend.random(anywhere, 1, 0, index).expect("nobody interrupts");
    let new = View { storage: values.storage, layout: &picks };
    backend
        .random(RandomKind::Normal, 2, 0, View { storage: &target, layout: &all })
        .expect("nobody interrupts");
    let space = Space { dims: [PICKS].as_slice().into(), kept: 1 };
    let access = Access {
        offset: 0,
        strides: [0].as_slice().into(),
        gathered: [(LEN, 1)].as_slice().into(),
    };
    for (name, op) in [("scatter 4M", ScatterOp::Write), ("scatter add 4M", ScatterOp::Add)] {
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| backend.scatter(op, &space, (&target, &access), &[index], new));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = indexing
}
criterion_main!(benches);
