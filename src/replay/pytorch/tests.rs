use super::*;

const MIB: u64 = 1 << 20;

fn model(limit: Option<u64>, settings: &str) -> PyTorch {
    PyTorch::new(Driver::new(limit), Settings::parse(settings).unwrap())
}

/// Bytes reserved after each request of a few.
fn reserved(settings: &str, sizes: &[u64]) -> Vec<u64> {
    let mut model = model(None, settings);
    let numbered = sizes.iter().enumerate();
    let after = numbered.map(|(id, bytes)| {
        assert!(model.allocate(id as u32, *bytes, 0));
        model.figures().reserved
    });
    after.collect()
}

#[test]
fn segments_are_as_large_as_pytorchs() {
    assert_eq!(reserved("", &[1, MIB, MIB]), [2 * MIB, 2 * MIB, 4 * MIB]);
    assert_eq!(reserved("", &[MIB + 1, 10 * MIB - 1]), [20 * MIB; 2]);
    assert_eq!(reserved("", &[10 * MIB, 11 * MIB]), [10 * MIB, 22 * MIB]);
    // A small request does not use what a large segment has left.
    assert_eq!(reserved("", &[2 * MIB, 1]), [20 * MIB, 22 * MIB]);
}

#[test]
fn sizes_round_as_pytorchs() {
    let plain = model(None, "");
    assert_eq!([1, 512, 513, 1200].map(|bytes| plain.round(bytes)), [512, 512, 1024, 1536]);
    // The example of PyTorch's documents, times 1024: four steps between powers of two.
    let steps = model(None, "roundup_power2_divisions:4");
    assert_eq!(steps.round(1200 << 10), 1280 << 10);
    assert_eq!(steps.round(1024 << 10), 1024 << 10);
    assert_eq!(steps.round((1792 << 10) + 1), 2048 << 10);
}

#[test]
fn a_rest_of_up_to_a_mebibyte_stays_with_a_large_block() {
    let mut model = model(None, "");
    model.allocate(0, 30 * MIB, 0);
    model.free(0);
    model.allocate(1, 29 * MIB, 0);
    assert_eq!(model.figures().live, 30 * MIB);
    model.free(1);
    model.allocate(2, 29 * MIB - 512, 0);
    assert_eq!(model.figures().live, 29 * MIB - 512);
}

#[test]
fn streams_share_nothing() {
    let mut model = model(None, "");
    model.allocate(0, 30 * MIB, 0);
    model.free(0);
    model.allocate(1, 30 * MIB, 1);
    assert_eq!(model.figures().reserved, 60 * MIB);
}

#[test]
fn what_is_split_can_not_go_back() {
    let mut model = model(Some(100 * MIB), "");
    model.allocate(0, 60 * MIB, 0);
    model.free(0);
    model.allocate(1, 2 * MIB, 0);
    // 58 MiB are free in the first segment, and 40 at the driver: neither has 59.
    assert!(!model.allocate(2, 59 * MIB, 0));
    model.free(1);
    assert!(model.allocate(3, 80 * MIB, 0), "the whole segment goes back");
    assert_eq!(
        model.figures(),
        Figures { live: 80 * MIB, reserved: 80 * MIB, retries: 2, calls: 6 }
    );
}

#[test]
fn expandable_segments_serve_from_what_is_free_at_their_end() {
    let mut model = model(Some(100 * MIB), "expandable_segments:True");
    model.allocate(0, 60 * MIB, 0);
    model.free(0);
    model.allocate(1, 2 * MIB, 0);
    assert!(model.allocate(2, 59 * MIB, 0), "the segment grows by a page");
    assert_eq!(model.figures().reserved, 80 * MIB);
    model.free(1);
    model.free(2);
    assert!(model.allocate(3, 100 * MIB, 0));
    assert!(!model.allocate(4, 1, 0), "nothing is left for the small pool");
    model.free(3);
    assert!(model.allocate(5, 1, 0), "free pages go back");
    assert_eq!(model.figures().reserved, 2 * MIB);
}

#[test]
fn large_blocks_are_kept_whole_with_max_split_size() {
    let mut model = model(Some(100 * MIB), "max_split_size_mb:32");
    model.allocate(0, 60 * MIB, 0);
    model.free(0);
    model.allocate(1, 2 * MIB, 0);
    assert_eq!(model.figures().reserved, 80 * MIB, "the large block is not cut");
    assert!(model.allocate(2, 59 * MIB, 0), "and serves what is nearly as large");
    assert_eq!(model.figures().live, 62 * MIB);
}

#[test]
fn old_segments_go_first_above_the_threshold() {
    let mut model = model(Some(100 * MIB), "garbage_collection_threshold:0.5");
    for (id, bytes) in [(0, 30), (1, 31)] {
        model.allocate(id, bytes * MIB, 0);
    }
    model.free(0);
    // Each search makes the free block older.
    model.allocate(2, 2, 0);
    model.allocate(3, 25 * MIB, 0);
    model.free(1);
    model.free(3);
    model.allocate(4, 35 * MIB, 0);
    let figures = model.figures();
    assert!(figures.reserved < 100 * MIB && figures.retries == 0, "{figures:?}");
}

/// Random requests in every setting: what is free joins, so nothing is left when all have gone.
#[test]
fn everything_goes_back() {
    for settings in [
        "",
        "expandable_segments:True",
        "max_split_size_mb:21",
        "roundup_power2_divisions:4",
        "garbage_collection_threshold:0.3",
    ] {
        let (mut model, mut held, mut seed) = (model(Some(600 * MIB), settings), Vec::new(), 7u64);
        for id in 0..4000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let bytes = (seed >> 40) % (1 << (6 + (seed >> 33) % 20)) + 1;
            if model.allocate(id, bytes, (seed >> 20) as u32 % 3) {
                held.push(id);
            }
            if held.len() > 60 {
                model.free(held.swap_remove(seed as usize % 60));
            }
            let layout = model.layout(&|_| Site::UNKNOWN);
            let sum = |held: bool| {
                let blocks = layout.iter().flat_map(|segment| &segment.blocks);
                blocks.filter(|b| b.holder.is_some() == held).map(|b| b.bytes).sum::<u64>()
            };
            let Figures { live, reserved, .. } = model.figures();
            assert_eq!((sum(true), sum(false)), (live, reserved - live), "{settings} {id}");
        }
        held.into_iter().for_each(|id| model.free(id));
        model.release_cached();
        assert_eq!((model.figures().live, model.figures().reserved), (0, 0), "{settings}");
    }
}
