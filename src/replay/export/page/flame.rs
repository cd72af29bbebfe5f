//! Flame graphs: who asked stands below whom it was asked for, as wide as the bytes.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::replay::export::recording::{Frame, Recording};
use crate::replay::export::sums::{Sum, sums};
use crate::report::{counted, escape, human_bytes};

/// Frames narrower than this share of the whole are left out.
const LEAST: f64 = 0.0005;

/// Tones of frames.
const TONES: u64 = 6;

/// Pixels of a frame, and the gap to the next.
const ROW: usize = 22;

/// What may be looked at: its title, and bytes and blocks.
type View = (&'static str, fn(&Sum) -> (u64, u64));

const VIEWS: [View; 3] = [
    ("at the highest moment", |sum| (sum.peak_bytes, sum.peak_blocks)),
    ("live now", |sum| (sum.live_bytes, sum.live_blocks)),
    ("all that was asked for", |sum| (sum.bytes, sum.requests)),
];

/// A frame and what stands on it.
#[derive(Default)]
struct Node<'a> {
    frame: Option<&'a Frame>,
    device: &'a str,
    bytes: u64,
    blocks: u64,
    parts: Vec<Node<'a>>,
    places: FxHashMap<&'a Frame, usize>,
}

/// The graph of these devices; its number tells it from others of the page.
pub(super) fn flame(recording: &Recording, devices: &[usize], number: usize) -> String {
    let mut roots: [Node<'_>; 3] = Default::default();
    for at in devices {
        let tape = &recording.tapes[*at];
        let all = sums(tape);
        for (root, (_, measure)) in roots.iter_mut().zip(VIEWS) {
            let mut device = Node { device: &tape.device, ..Node::default() };
            for (stack, sum) in &all {
                let (bytes, blocks) = measure(sum);
                if bytes > 0 {
                    device.add(recording.stacks.frames(*stack), bytes, blocks);
                }
            }
            root.bytes += device.bytes;
            root.blocks += device.blocks;
            if device.bytes > 0 {
                root.parts.push(device);
            }
        }
    }
    let mut html = String::from("<div class=\"flames\">");
    let shown = roots.iter().position(|root| root.bytes > 0).unwrap_or(0);
    for (at, (title, _)) in VIEWS.iter().enumerate() {
        let checked = if at == shown { " checked" } else { "" };
        let _ = write!(
            html,
            "<input type=\"radio\" name=\"f{number}\" id=\"f{number}-{at}\"{checked}><label for=\"f{number}-{at}\">{title}\
             </label>"
        );
    }
    for ((title, _), root) in VIEWS.iter().zip(&roots) {
        if root.bytes == 0 {
            html += "<div class=\"flame\"><p>Nothing.</p></div>";
            continue;
        }
        let depth = root.parts.iter().map(Node::depth).max().unwrap_or(0);
        let total =
            format!("{title}: {} in {}", human_bytes(root.bytes), counted(root.blocks, "block"));
        let _ = write!(
            html,
            "<div class=\"flame\" style=\"height:{}px\"><div class=\"f f0\" tabindex=\"0\" style=\"left:0%;width:100%;top:0\" \
             data-x=\"0\" data-w=\"100\" data-d=\"0\" title=\"{2}\">{2}</div>{1}</div>",
            (depth + 1) * ROW,
            {
                let mut frames = String::new();
                let mut left = 0.0;
                for part in &root.parts {
                    part.draw(&mut frames, root.bytes as f64, left, 1);
                    left += part.bytes as f64 / root.bytes as f64;
                }
                frames
            },
            escape(&total)
        );
    }
    html + "</div>"
}

impl<'a> Node<'a> {
    fn add(&mut self, frames: &'a [Frame], bytes: u64, blocks: u64) {
        self.bytes += bytes;
        self.blocks += blocks;
        if let [first, rest @ ..] = frames {
            let next = self.parts.len();
            let at = *self.places.entry(first).or_insert(next);
            if at == next {
                self.parts.push(Node { frame: Some(first), ..Node::default() });
            }
            self.parts[at].add(rest, bytes, blocks);
        }
    }

    fn depth(&self) -> usize {
        1 + self.parts.iter().map(Node::depth).max().unwrap_or(0)
    }

    fn draw(&self, html: &mut String, whole: f64, left: f64, depth: usize) {
        let width = self.bytes as f64 / whole;
        if width < LEAST {
            return;
        }
        let name = self.frame.map_or(self.device, |frame| &*frame.name);
        let place = self.frame.map_or(String::new(), |frame| match (&*frame.file, frame.line) {
            ("", _) => String::new(),
            (file, line) => format!(" ({file}:{line})"),
        });
        let words = format!(
            "{name}{place}: {} in {}, {:.1} %",
            human_bytes(self.bytes),
            counted(self.blocks, "block"),
            100.0 * width
        );
        // One name has one tone in all graphs of a page.
        let sum = name.bytes().fold(7u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
        let _ = write!(
            html,
            "<div class=\"f f{}\" tabindex=\"0\" style=\"left:{2:.3}%;width:{3:.3}%;top:{1}px\" data-x=\"{2:.3}\" \
             data-w=\"{3:.3}\" data-d=\"{depth}\" title=\"{4}\">{5}</div>",
            sum % TONES,
            depth * ROW,
            100.0 * left,
            100.0 * width,
            escape(&words),
            escape(name)
        );
        let mut parts: Vec<&Node<'_>> = self.parts.iter().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        let mut left = left;
        for part in parts {
            part.draw(html, whole, left, depth + 1);
            left += part.bytes as f64 / whole;
        }
    }
}
