//! Sorting: a long row of each kind of item, and many short rows.

use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use genesis_repl::device::{Device, Interrupt, RandomKind, Storage, View};
use genesis_repl::dtype::DType;
use genesis_repl::layout::{Layout, Shape};
use genesis_repl::memory::{AllocatorConfig, Provenance};

fn allocate(device: &Device, dtype: DType, len: usize) -> Arc<Storage> {
    device.allocate(dtype, len, Provenance::TEMPORARY).expect("the machine has this memory")
}

fn bench_rows(
    criterion: &mut Criterion,
    name: &str,
    dtype: DType,
    kind: RandomKind,
    shape: &Shape,
) {
    let device = Device::cpu(AllocatorConfig::default(), Interrupt::default())
        .expect("the default configuration is valid");
    let layout = Layout::contiguous(shape.clone());
    let len = layout.elem_count();
    let (input, sorted) = (allocate(&device, dtype, len), allocate(&device, dtype, len));
    let order = allocate(&device, DType::I64, len);
    let view = |storage| View { storage, layout: &layout };
    device.backend().random(kind, 1, 0, view(&input)).expect("nobody interrupts");
    criterion.bench_function(&format!("sort {name}"), |bencher| {
        bencher.iter(|| device.backend().sort(view(&input), false, Some(view(&sorted)), None));
    });
    criterion.bench_function(&format!("argsort {name}"), |bencher| {
        bencher.iter(|| device.backend().sort(view(&input), false, None, Some(view(&order))));
    });
}

fn sort(criterion: &mut Criterion) {
    let whole = RandomKind::Integer { low: 0, high: 1 << 24 };
    bench_rows(criterion, "4M float32", DType::F32, RandomKind::Normal, &[4_000_000].into());
    bench_rows(criterion, "4M int64", DType::I64, whole, &[4_000_000].into());
    bench_rows(criterion, "rows of 16", DType::F32, RandomKind::Normal, &[250_000, 16].into());
    bench_rows(criterion, "rows of 1000", DType::F32, RandomKind::Normal, &[4_000, 1_000].into());
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = sort
}
criterion_main!(benches);
