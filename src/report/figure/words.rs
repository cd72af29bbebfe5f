//! A figure in words, for those who can't see it.

use super::{Axes, Figure, Mark, Shape};
use crate::report::header::brief;

impl Figure {
    pub fn words(&self) -> String {
        let axes: Vec<String> = self.axes.iter().map(Axes::words).collect();
        let title =
            if self.title.is_empty() { String::new() } else { format!(" “{}”", self.title) };
        format!("a figure{title}: {}", axes.join("; "))
    }
}

impl Axes {
    fn words(&self) -> String {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for kind in self.marks.iter().map(Mark::kind) {
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let plural = |(kind, count): (&str, usize)| match (count, kind) {
            (1, kind) => kind.to_string(),
            (count, kind) => format!("{count} × {kind}"),
        };
        let mut words = match kinds.is_empty() {
            true => "empty axes".to_string(),
            false => kinds.into_iter().map(plural).collect::<Vec<_>>().join(", "),
        };
        if !self.title.is_empty() {
            words = format!("“{}”, {words}", self.title);
        }
        let names: Vec<&str> = self.marks.iter().map(|mark| mark.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        if !names.is_empty() {
            words += &format!(" ({})", names.join(", "));
        }
        for (letter, axis) in [("x", &self.x), ("y", &self.y)] {
            let name = if axis.label.is_empty() { letter } else { &axis.label };
            words += &format!(", {name} from {} to {}", brief(axis.ends.0), brief(axis.ends.1));
        }
        words
    }
}

impl Mark {
    fn kind(&self) -> &'static str {
        match &self.shape {
            Shape::Curve(curve) if curve.stroke.is_none() => "points",
            Shape::Curve(_) => "line",
            Shape::Dots(_) => "points",
            Shape::Boxes { .. } => "bars",
            Shape::Area { .. } => "area",
            Shape::Segments { .. } => "straight lines",
            Shape::Image(_) => "image",
            Shape::Label(_) => "text",
        }
    }
}
