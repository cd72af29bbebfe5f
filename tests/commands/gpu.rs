//! What the session says of a real GPU: devices, the driver's memory, kernels and their times. Where
//! no driver is, these pass without a word; `tests/shim` has a driver that needs no GPU.

use genesis_repl::device::DeviceId;
use genesis_repl::device::Presence;
use genesis_repl::device::cuda::presence;
use genesis_repl::session::Config;

use super::driver::Driver;

#[test]
fn a_gpu_that_is_not_there_is_an_error_with_a_remedy() {
    let mut driver = Driver::cpu();
    if presence() == Presence::Absent {
        let shown = driver.show("zeros(2, device='cuda')");
        assert!(shown.starts_with("RuntimeError: there is no device `cuda:0`\n"), "{shown}");
        assert!(shown.contains("NVIDIA's driver was not found: install"), "{shown}");
        assert!(shown.contains("the devices here are `cpu`\n"), "{shown}");
        let shown = driver.ok(":device");
        assert!(shown.contains("no GPU: NVIDIA's driver was not found"), "{shown}");
        assert_eq!(driver.show("cuda.is_available(), cuda.device_count()"), "(False, 0)\n");
        let error =
            genesis_repl::session::Session::new(Config::default().with_device("cuda").unwrap());
        let fault = error.map(|_| ()).unwrap_err();
        assert_eq!(fault.message, "there is no device `cuda:0`");
    }
    for cell in ["zeros(2, device='cuda:77')", "zeros(2).to(77)", ":device cuda:77", ":mem cuda:77"]
    {
        let shown = driver.show(cell);
        assert!(
            shown.starts_with("RuntimeError: there is no device `cuda:77`\n"),
            "{cell} {shown}"
        );
        assert!(shown.contains("the devices here are `cpu`"), "{shown}");
    }
    assert!(driver.show("zeros(2, device=-1)").contains("found `-1`"));
}

#[test]
fn kernels_on_the_cpu_are_plans() {
    let mut driver = Driver::cpu();
    driver.ok("x = arange(4.0)\ny = x + 1\ny = x + 1");
    let shown = driver.ok(":kernels");
    assert!(shown.contains("cpu compiles no kernels") && shown.contains("found again"), "{shown}");
    let shown = driver.show(":kernels scan");
    assert!(shown.contains("cpu has no kernels"), "{shown}");
    assert_eq!(driver.ok(":set profiling on\ny = x + 2"), "");
}

#[test]
fn the_gpu_comes_before_the_first_statement() {
    if presence() == Presence::Absent {
        return;
    }
    let mut driver = Driver::with(Config::default());
    assert!(driver.session.banner().to_plain().contains("cuda:0"));
    assert_eq!(driver.session.engine().device().id(), DeviceId::Cpu);
    driver.ok("x = 1");
    assert_eq!(driver.session.engine().device().id(), DeviceId::Cuda(0));
    assert_eq!(driver.show("empty(3).device"), "device('cuda:0')\n");
}

#[test]
fn no_gpu_opens_before_it_is_named() {
    if presence() == Presence::Absent {
        return;
    }
    let mut driver = Driver::cpu();
    driver.ok("x = arange(3)");
    assert_eq!(driver.session.engine().devices().count(), 1);
    let shown = driver.ok(":device");
    let gpu = shown.lines().find(|line| line.contains("cuda:0")).unwrap();
    assert!(gpu.contains("not open"), "{gpu}");
    assert_eq!(driver.session.engine().devices().count(), 1);
    assert_eq!(driver.show("x.to('cuda').device, x.device"), "(device('cuda:0'), device('cpu'))\n");
    assert_eq!(driver.session.engine().devices().count(), 2);
    assert_eq!(driver.show("x.cuda().cpu().tolist()"), "[0, 1, 2]\n");
    let shown = driver.show("x + x.cuda()");
    assert!(shown.contains("found cpu and cuda:0") && shown.contains("x.to('cpu')"), "{shown}");
}

#[test]
fn the_list_of_devices() {
    let Some(mut driver) = Driver::gpu() else { return };
    let shown = driver.ok(":device");
    let gpu = shown.lines().find(|line| line.contains("cuda:0")).unwrap();
    assert!(gpu.starts_with('→') && gpu.contains("GiB"), "{shown}");
    for name in ["capability", "driver", "CUDA ", "NVRTC", "cuBLAS"] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    assert_eq!(driver.show("cuda.get_device_capability()[0] >= 5"), "True\n");
    assert_eq!(driver.show("cuda.get_device_properties().major >= 5"), "True\n");
    assert_eq!(driver.show("free, total = cuda.mem_get_info()\n0 < free <= total"), "True\n");
    driver.ok(":device cpu");
    assert_eq!(driver.show("zeros(1).device"), "device('cpu')\n");
}

#[test]
fn the_driver_s_view_of_memory_adds_up() {
    let Some(mut driver) = Driver::gpu() else { return };
    driver.ok("x = empty(1 << 20)\ny = empty(100)");
    let shown = driver.ok(":mem");
    for row in ["driver  what it reports", "in use", "reserved", "before", "rest"] {
        assert!(shown.contains(row), "{row}: {shown}");
    }
    let segments = shown.lines().find(|line| line.contains("our segments")).unwrap();
    assert!(segments.contains("4.0 MiB asked for by tensors, 112 B padding"), "{segments}");
}

#[test]
fn choices_hold_on_a_gpu() {
    if presence() == Presence::Absent {
        return;
    }
    let mut config = Config::default().with_device("cuda").unwrap();
    for (name, value) in [
        ("memory_fraction", "0.5"),
        ("segment_size", "64MiB"),
        ("cache_size", "10"),
        ("poison", "on"),
        ("warmup", "off"),
    ] {
        config.set(name, value).unwrap();
    }
    let mut driver = Driver::with(config);
    driver.ok("x = empty(1 << 20)");
    let allocator = driver.session.engine().device().allocator().clone();
    assert_eq!(allocator.stats().now.reserved, 64 << 20);
    let config = allocator.config();
    assert_eq!((config.cache_size, config.memory_fraction, config.poison), (10, 0.5, true));
    assert!(driver.ok(":mem warmup 4MiB 2").contains("warming up is off"));
    for mode in ["direct", "async", "caching"] {
        driver.ok(&format!(":set allocator {mode}\ndel x\nx = empty(1 << 20)"));
        assert_eq!(allocator.config().mode.name(), mode);
    }
    let total = allocator.mem_info().total;
    let shown = driver.show(&format!("big = empty({}, dtype=uint8)", total / 4 * 3));
    assert!(shown.starts_with("MemoryError"), "{shown}");
    driver.ok(":set memory_fraction 1");
    // What is chosen now holds for a GPU that opens later.
    let mut driver = Driver::cpu();
    driver.ok(":set poison on\n:set history 7\nx = arange(3).cuda()");
    let opened = driver.session.engine().find_device(DeviceId::Cuda(0)).unwrap();
    let config = opened.allocator().config();
    assert_eq!((config.poison, config.history_len), (true, 7));
}

#[test]
fn the_list_of_kernels() {
    let Some(mut driver) = Driver::gpu() else { return };
    driver.ok("x = arange(5).to('cuda')\nx.tolist()");
    let shown = driver.ok(":kernels");
    let row = shown.lines().find(|line| line.contains("deliver")).unwrap();
    assert!(row.trim_start().starts_with("1  deliver"), "{shown}");
    assert!(shown.contains(" hits · ") && shown.contains("registers"), "{shown}");
    let source = driver.ok(":kernels deliver");
    assert!(source.starts_with("// deliver: ") && source.contains("__global__"), "{source}");
    assert_eq!(driver.ok(":kernels 1"), source);
    let shown = driver.show(":kernels delivr");
    assert!(shown.contains("did you mean `deliver`?"), "{shown}");
    assert!(driver.show(":kernels 99").contains("there is no kernel 99"));
    assert!(driver.show(":kernels 1 2").contains("expected one kernel"));
}

#[test]
fn times_of_kernels() {
    let Some(mut driver) = Driver::gpu() else { return };
    driver.ok("x = arange(5).to('cuda')\n:set profiling on");
    let shown = driver.show("y = x.tolist()");
    assert!(shown.starts_with("cuda:0  kernels\n"), "{shown}");
    assert!(shown.lines().any(|line| line.starts_with("deliver")), "{shown}");
    assert_eq!(driver.ok("cuda.enable_profiling(False)\ny = x.tolist()"), "");
    assert!(driver.ok(":set profiling").contains("profiling = off"));
}
