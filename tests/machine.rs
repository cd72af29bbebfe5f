//! What functions tell of the machine and of its allocator, held against sums made by hand: a simulated GPU of 32 MiB has
//! nothing in its memory but what these lines put there. Blocks are whole multiples of 512 bytes, small ones lie in
//! segments of 2 MiB.

use driver::Driver;

#[expect(dead_code, reason = "tests of commands need more of it")]
#[path = "commands/driver.rs"]
mod driver;

/// Each line is true, or shows nothing. They run in order, in one session.
const TRUE: &[&str] = &[
    // What there is.
    "cuda.is_available()",
    "cuda.device_count() == 1",
    "cuda.current_device() == 0",
    "cuda.get_device_capability() == (0, 0)",
    "cuda.get_device_name() in str(cuda.get_device_properties())",
    "cuda.get_device_properties().total_memory == 32 * 2**20",
    "cuda.enable_lazy_init(True) is None and cuda.set_device(0) is None and cuda.current_device() == 0",
    "cuda.synchronize() is None",
    // What is allocated and reserved.
    "cuda.memory_allocated() == 0 and cuda.memory_reserved() == 0",
    "cuda.mem_get_info() == (32 * 2**20, 32 * 2**20)",
    "float((x := zeros(1000)).sum()) == 0 and x.get_device() == 0 and x.data_ptr() % 512 == 0",
    "cuda.memory_allocated() == 4096 and cuda.memory_reserved() == 2 * 2**20",
    "cuda.mem_get_info() == (30 * 2**20, 32 * 2**20)",
    "float((y := ones(3000)).sum()) == 3000 and y.data_ptr() != x.data_ptr()",
    "cuda.memory_allocated() == 4096 + 12288 and cuda.memory_reserved() == 2 * 2**20",
    "[s['total_size'] for s in cuda.memory_snapshot()] == [2 * 2**20]",
    "sum([b['size'] for b in cuda.memory_snapshot()[0]['blocks']]) == 2 * 2**20",
    "cuda.memory_stats()['allocated_bytes.all.current'] == 4096 + 12288",
    "cuda.memory_stats()['requested_bytes.all.current'] == 4000 + 12000",
    "'16 KiB' in cuda.memory_summary() and '2 MiB' in cuda.memory_summary()",
    "cuda.host_memory_stats()['allocated_bytes.all.current'] == 0",
    "del y",
    "cuda.memory_allocated() == 4096 and cuda.max_memory_allocated() >= 4096 + 12288",
    "cuda.reset_peak_memory_stats() is None and cuda.max_memory_allocated() == 4096",
    "cuda.max_memory_reserved() == 2 * 2**20",
    // Blocks without tensors.
    "len(blocks := cuda.allocate_batch([1024, 2048])) == 2 and cuda.memory_allocated() == 4096 + 3072",
    "cuda.free_memory(blocks[0])",
    "cuda.memory_allocated() == 4096 + 2048",
    "cuda.free_memory(blocks[1])",
    "cuda.memory_allocated() == 4096",
    "(one := cuda.allocate_memory(512)) % 512 == 0 and cuda.memory_allocated() == 4096 + 512",
    "cuda.free_memory(one)",
    "cuda.memory_allocated() == 4096",
    // What is kept of freed memory.
    "float((z := zeros(2**20)).sum()) == 0 and cuda.memory_allocated() == 4096 + 4 * 2**20",
    "del z",
    "cuda.memory_allocated() == 4096",
    "cuda.coalesce_free_blocks() is None and cuda.memory_reserved() > 2 * 2**20",
    "cuda.empty_cache() is None and cuda.memory_reserved() == 2 * 2**20",
    "cuda.cleanup_cache() == 0",
    "cuda.expand_cache_size(2) > 0",
    "cuda.warmup_cache([4 * 2**20], 1) == cuda.memory_reserved() - 2 * 2**20 > 0",
    "cuda.cleanup_cache(force=True) > 0 and cuda.memory_reserved() == 2 * 2**20",
    "cuda.warm_up([(4 * 2**20, 1)]) is None and cuda.memory_reserved() > 2 * 2**20",
    "cuda.set_cache_size(0) is None and cuda.memory_reserved() == 2 * 2**20",
    "cuda.set_cache_size(None) is None",
    "cuda.enable_memory_debugging(False) is None and cuda.enable_profiling(False) is None",
    "cuda.configure_memory_manager() is None and cuda.get_memory_manager() is cuda",
    "cuda.set_memory_callback(None) is None and cuda.set_memory_fraction(1.0) is None",
    // Streams, and what goes on inside a context.
    "str(cuda.current_stream()) == '<stream 0 of cuda:0>'",
    "{'cache_hits': 3, 'total_allocations': 4}.efficiency_score() == 0.75",
    "str((s := cuda.stream(2)).__enter__()) == str(cuda.current_stream()) == '<stream 2 of cuda:0>'",
    "not s.__exit__(None, None, None) and str(cuda.current_stream()) == '<stream 0 of cuda:0>'",
    // Kernels: a simulated device has none.
    "cuda.clear_kernel_cache() == 0 and cuda.warm_up_kernels() is None",
    "cuda.set_kernel_fusion(False) is None and float((x + 1).sum()) == 1000",
    "cuda.set_kernel_fusion(True) is None and float((x + 1).sum()) == 1000",
];

/// Statements, and a line that is true after them.
const AFTER: &[(&str, &str)] = &[
    ("sizes = cuda.analyze_allocation_patterns()", "sizes == {4000: 1}"),
    (
        "cuda.set_history_len(8)\ntrace = cuda.dump_allocation_trace()\ncuda.set_history_len(0)",
        "trace is None and cuda.memory_allocated() == 4096",
    ),
    (
        "with cuda.stream(3):\n    inside = str(cuda.current_stream())",
        "inside == '<stream 3 of cuda:0>' and str(cuda.current_stream()) == '<stream 0 of cuda:0>'",
    ),
    (
        "with cuda.device('cpu'):\n    where = str(zeros(2).device)",
        "where == 'cpu' and str(zeros(2).device) == 'cuda:0'",
    ),
    (
        "with cuda.performance_context() as seen:\n    w = zeros(500)\n    total = float(w.sum())",
        "total == 0 and seen.stats['allocated_bytes.all.current'] >= 2048",
    ),
    (
        "cuda.set_allocator_mode('direct')\nbig = zeros(5000)\nsize = float(big.sum())",
        "size == 0 and cuda.memory_allocated() >= 20000",
    ),
];

#[test]
fn what_is_told_of_the_machine_is_what_sums_say() {
    let mut driver = Driver::simulated();
    for line in TRUE {
        let shown = driver.show(line);
        assert!(shown.is_empty() || shown == "True\n", "{line}\n{shown}");
    }
    for (program, line) in AFTER {
        driver.ok(program);
        assert_eq!(driver.show(line), "True\n", "{program}\n{line}");
    }
}
