//! Colours by their names, and ramps of them.

/// Red, green, blue, and how much of it there is.
pub type Rgba = [u8; 4];

/// The colours that curves get in turn, and the words for them.
const CYCLE: [(&str, u32); 10] = [
    ("tab:blue", 0x1f77b4),
    ("tab:orange", 0xff7f0e),
    ("tab:green", 0x2ca02c),
    ("tab:red", 0xd62728),
    ("tab:purple", 0x9467bd),
    ("tab:brown", 0x8c564b),
    ("tab:pink", 0xe377c2),
    ("tab:gray", 0x7f7f7f),
    ("tab:olive", 0xbcbd22),
    ("tab:cyan", 0x17becf),
];

/// Colours by their letters, and by the more frequent of the words that pages have for them.
const NAMES: &[(&str, u32)] = &[
    ("b", 0x0000ff),
    ("g", 0x008000),
    ("r", 0xff0000),
    ("c", 0x00bfbf),
    ("m", 0xbf00bf),
    ("y", 0xbfbf00),
    ("k", 0x000000),
    ("w", 0xffffff),
    ("aqua", 0x00ffff),
    ("beige", 0xf5f5dc),
    ("black", 0x000000),
    ("blue", 0x0000ff),
    ("brown", 0xa52a2a),
    ("chocolate", 0xd2691e),
    ("coral", 0xff7f50),
    ("cornflowerblue", 0x6495ed),
    ("crimson", 0xdc143c),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9),
    ("darkorange", 0xff8c00),
    ("darkred", 0x8b0000),
    ("deeppink", 0xff1493),
    ("deepskyblue", 0x00bfff),
    ("dimgray", 0x696969),
    ("dodgerblue", 0x1e90ff),
    ("firebrick", 0xb22222),
    ("forestgreen", 0x228b22),
    ("fuchsia", 0xff00ff),
    ("gold", 0xffd700),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("grey", 0x808080),
    ("hotpink", 0xff69b4),
    ("indigo", 0x4b0082),
    ("khaki", 0xf0e68c),
    ("lavender", 0xe6e6fa),
    ("lightblue", 0xadd8e6),
    ("lightgray", 0xd3d3d3),
    ("lightgreen", 0x90ee90),
    ("lightgrey", 0xd3d3d3),
    ("lime", 0x00ff00),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("navy", 0x000080),
    ("olive", 0x808000),
    ("orange", 0xffa500),
    ("orangered", 0xff4500),
    ("orchid", 0xda70d6),
    ("pink", 0xffc0cb),
    ("plum", 0xdda0dd),
    ("purple", 0x800080),
    ("red", 0xff0000),
    ("royalblue", 0x4169e1),
    ("salmon", 0xfa8072),
    ("seagreen", 0x2e8b57),
    ("silver", 0xc0c0c0),
    ("skyblue", 0x87ceeb),
    ("slateblue", 0x6a5acd),
    ("slategray", 0x708090),
    ("steelblue", 0x4682b4),
    ("tan", 0xd2b48c),
    ("teal", 0x008080),
    ("tomato", 0xff6347),
    ("turquoise", 0x40e0d0),
    ("violet", 0xee82ee),
    ("white", 0xffffff),
    ("yellow", 0xffff00),
];

const fn opaque(rgb: u32) -> Rgba {
    [(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8, 255]
}

/// A colour by its name: `r`, `C1`, `tab:blue`, `#1f77b4`, `0.5`, `none`.
pub fn named(name: &str) -> Option<Rgba> {
    let digits = |text: &str| u32::from_str_radix(text, 16).ok();
    if let Some(hex) = name.strip_prefix('#') {
        let doubled: String = hex.chars().flat_map(|c| [c, c]).collect();
        return match hex.len() {
            3 => digits(&doubled).map(opaque),
            4 => digits(&doubled).map(u32::to_be_bytes),
            6 => digits(hex).map(opaque),
            8 => digits(hex).map(u32::to_be_bytes),
            _ => None,
        };
    }
    if let Some(at) = name.strip_prefix('C').and_then(|at| at.parse::<usize>().ok()) {
        return Some(opaque(CYCLE[at % CYCLE.len()].1));
    }
    if name.eq_ignore_ascii_case("none") {
        return Some([0; 4]);
    }
    if let Some(grey) = name.parse().ok().filter(|grey: &f64| (0.0..=1.0).contains(grey)) {
        let grey = (grey * 255.0).round() as u8;
        return Some([grey, grey, grey, 255]);
    }
    let lower = name.to_ascii_lowercase();
    let wanted = if name.len() == 1 { name } else { lower.as_str() };
    let wanted = if wanted == "tab:grey" { "tab:gray" } else { wanted };
    let found = CYCLE.iter().chain(NAMES).find(|(known, _)| *known == wanted);
    found.map(|(_, rgb)| opaque(*rgb))
}

/// Ramps of colours, as matplotlib calls them; between the ones that stand here they are mixed.
const MAPS: &[(&str, &[u32])] = &[
    (
        "viridis",
        &[
            0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e,
            0x21918c, 0x1fa088, 0x28ae80, 0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219,
            0xfde725,
        ],
    ),
    (
        "plasma",
        &[
            0x0d0887, 0x310597, 0x4c02a1, 0x6600a7, 0x7e03a8, 0x9511a1, 0xaa2395, 0xbc3587,
            0xcc4778, 0xda5a6a, 0xe66c5c, 0xf0804e, 0xf89540, 0xfdac33, 0xfdc527, 0xf8df25,
            0xf0f921,
        ],
    ),
    (
        "inferno",
        &[
            0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61,
            0xbc3754, 0xd24644, 0xe45a31, 0xf1731d, 0xf98e09, 0xfcac11, 0xf9cb35, 0xf2ea69,
            0xfcffa4,
        ],
    ),
    (
        "magma",
        &[
            0x000004, 0x0a0822, 0x1d1147, 0x36106b, 0x51127c, 0x6a1c81, 0x832681, 0x9c2e7f,
            0xb73779, 0xd0416f, 0xe75263, 0xf56b5c, 0xfc8961, 0xfea772, 0xfec488, 0xfde2a3,
            0xfcfdbf,
        ],
    ),
    (
        "cividis",
        &[
            0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x535a6d, 0x61656f, 0x6f7073,
            0x7d7c78, 0x8c8878, 0x9b9476, 0xaba072, 0xbcae6c, 0xcdbb63, 0xdec958, 0xf0d846,
            0xfee838,
        ],
    ),
    ("gray", &[0x000000, 0xffffff]),
    ("binary", &[0xffffff, 0x000000]),
    (
        "hot",
        &[
            0x0b0000, 0x200000, 0x350000, 0x4a0000, 0x5f0000, 0x740000, 0x890000, 0x9e0000,
            0xb30000, 0xc80000, 0xdd0000, 0xf20000, 0xff0800, 0xff1d00, 0xff3200, 0xff4700,
            0xff5c00, 0xff7100, 0xff8600, 0xff9b00, 0xffb000, 0xffc500, 0xffda00, 0xffef00,
            0xffff07, 0xffff26, 0xffff46, 0xffff65, 0xffff85, 0xffffa4, 0xffffc4, 0xffffe3,
            0xffffff,
        ],
    ),
    ("cool", &[0x00ffff, 0xff00ff]),
    ("bwr", &[0x0000ff, 0xfffefe, 0xff0000]),
    (
        "coolwarm",
        &[
            0x3b4cc0, 0x4e68d8, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe, 0xb9d0f9, 0xccd9ed,
            0xdddcdc, 0xecd3c5, 0xf5c4ac, 0xf7b093, 0xf4987a, 0xeb7d62, 0xdd5f4b, 0xca3b37,
            0xb40426,
        ],
    ),
    (
        "RdBu",
        &[
            0x67001f, 0x8a0b25, 0xb1182b, 0xc43b3c, 0xd6604d, 0xe58368, 0xf3a481, 0xf8bfa4,
            0xfddbc7, 0xfae9df, 0xf6f7f7, 0xe4eef4, 0xd1e5f0, 0xb1d5e7, 0x90c4dd, 0x68abd0,
            0x4393c3, 0x327cb7, 0x2065ab, 0x124984, 0x053061,
        ],
    ),
    (
        "seismic",
        &[
            0x00004c, 0x000063, 0x000079, 0x000090, 0x0000a6, 0x0000bc, 0x0000d3, 0x0000e9,
            0x0101ff, 0x2121ff, 0x4141ff, 0x6161ff, 0x8181ff, 0xa1a1ff, 0xc1c1ff, 0xe1e1ff,
            0xfffdfd, 0xffdddd, 0xffbdbd, 0xff9d9d, 0xff7d7d, 0xff5d5d, 0xff3d3d, 0xff1d1d,
            0xfe0000, 0xee0000, 0xde0000, 0xce0000, 0xbe0000, 0xae0000, 0x9e0000, 0x8e0000,
            0x800000,
        ],
    ),
    (
        "Blues",
        &[0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9dcae1, 0x6aaed6, 0x4191c6, 0x2070b4, 0x08509b, 0x08306b],
    ),
    (
        "Greens",
        &[0xf7fcf5, 0xe5f5e0, 0xc7e9c0, 0xa0d99b, 0x73c476, 0x40aa5d, 0x228a44, 0x006c2c, 0x00441b],
    ),
    (
        "Reds",
        &[0xfff5f0, 0xfee0d2, 0xfcbba1, 0xfc9272, 0xfb694a, 0xee3a2c, 0xca181d, 0xa30f15, 0x67000d],
    ),
    (
        "turbo",
        &[
            0x30123b, 0x392a73, 0x4040a2, 0x4456c7, 0x466be3, 0x4680f6, 0x4294ff, 0x37a8fa,
            0x28bceb, 0x1ccdd8, 0x18ddc2, 0x1fe9af, 0x32f298, 0x4ef97d, 0x6dfe62, 0x8bff4b,
            0xa4fc3c, 0xb9f635, 0xcdec34, 0xdfdf37, 0xeecf3a, 0xf8be39, 0xfdac34, 0xfe962b,
            0xfb7e21, 0xf46617, 0xeb500e, 0xdf3f08, 0xd02f05, 0xbe2102, 0xa91601, 0x920b01,
            0x7a0403,
        ],
    ),
    (
        "jet",
        &[
            0x000080, 0x0000a4, 0x0000c8, 0x0000ed, 0x0000ff, 0x0020ff, 0x0040ff, 0x0060ff,
            0x0080ff, 0x00a0ff, 0x00c0ff, 0x00e0fb, 0x16ffe1, 0x30ffc7, 0x49ffad, 0x63ff94,
            0x7dff7a, 0x97ff60, 0xb1ff46, 0xcaff2c, 0xe4ff13, 0xfeed00, 0xffd000, 0xffb200,
            0xff9400, 0xff7700, 0xff5900, 0xff3b00, 0xff1e00, 0xe80000, 0xc40000, 0x9f0000,
            0x800000,
        ],
    ),
];

/// A ramp of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Map {
    at: usize,
    is_turned: bool,
}

impl Map {
    pub fn of(name: &str) -> Option<Map> {
        let (base, is_turned) = match name.strip_suffix("_r") {
            Some(base) => (base, true),
            None => (name, false),
        };
        let base = if base == "grey" { "gray" } else { base };
        let at = MAPS.iter().position(|(known, _)| *known == base)?;
        Some(Map { at, is_turned })
    }

    /// The names of all, `_r` behind one turns it around.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MAPS.iter().map(|(name, _)| *name)
    }

    /// The colour at a place from 0 to 1; none where there is no number.
    pub fn color(self, place: f64) -> Rgba {
        if place.is_nan() {
            return [0; 4];
        }
        let place = place.clamp(0.0, 1.0);
        let place = if self.is_turned { 1.0 - place } else { place };
        let ramp = MAPS[self.at].1;
        let along = place * (ramp.len() - 1) as f64;
        let from = (along as usize).min(ramp.len() - 2);
        let share = along - from as f64;
        let [low, high] = [opaque(ramp[from]), opaque(ramp[from + 1])];
        let mix = |at: usize| {
            let (a, b) = (f64::from(low[at]), f64::from(high[at]));
            (a + (b - a) * share).round() as u8
        };
        [mix(0), mix(1), mix(2), 255]
    }
}
