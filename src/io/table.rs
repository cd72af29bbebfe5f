//! Tables of numbers as text: lines of fields, a piece at a time, so that many pieces are read at once.

mod quick;
#[cfg(test)]
mod tests;

/// What stands in a table, and how it is read.
#[derive(Debug, Clone)]
pub struct Form {
    /// Between fields; white space where there is none.
    pub delimiter: Option<u8>,
    /// What begins a comment.
    pub comments: Vec<u8>,
    /// The columns that are wanted, in this order; all where there are none. Negative ones count from the end.
    pub columns: Option<Vec<i64>>,
    pub kind: Number,
    /// What stands for a field that is empty; none where that is an error.
    pub filling: Option<u64>,
    /// Whether it stands for whatever else is no number, too.
    pub is_loose: bool,
}

/// What fields are read as.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Held as the bits of a float64.
    Float,
    /// Between two bounds, held as the lowest 64 bits.
    Integer { low: i128, high: i128 },
}

/// The numbers of some lines.
#[derive(Debug, Default)]
pub struct Piece {
    pub numbers: Vec<u64>,
    pub rows: usize,
    /// Numbers in a row, and fields in a line; zero before the first.
    pub width: usize,
    pub fields: usize,
    pub fault: Option<Fault>,
    /// Lines that came to a row or were passed over.
    pub lines: usize,
}

/// What is wrong with a line. Rows are counted from the piece's first.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    Number {
        text: String,
        row: usize,
        column: usize,
    },
    Fields {
        found: usize,
        row: usize,
    },
    Column {
        wanted: i64,
        fields: usize,
        row: usize,
    },
    /// What only the language itself reads: other letters than ASCII's, lone carriage returns.
    Beyond,
}

impl Form {
    /// Reads lines; `most` is how many rows are wanted.
    pub fn read(&self, text: &[u8], most: usize) -> Piece {
        let mut piece = Piece::default();
        let mut rest = text;
        let mut fields: Vec<&[u8]> = Vec::new();
        let is_quick = quick::is_for(self);
        while !rest.is_empty() && piece.rows < most && piece.fault.is_none() {
            if is_quick && piece.quick_line(self, &mut rest) {
                continue;
            }
            let end = find(rest, b'\n');
            let line = &rest[..end.unwrap_or(rest.len())];
            rest = end.map_or(&[], |end| &rest[end + 1..]);
            piece.lines += 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let comment = match self.comments[..] {
                [mark] => find(line, mark),
                _ => line.iter().position(|byte| self.comments.contains(byte)),
            };
            let line = comment.map_or(line, |end| &line[..end]);
            // Where a delimiter is given and nothing stands for an empty field, blanks are a field that is no number.
            let is_blank = self.delimiter.is_none() || self.filling.is_some();
            if line.is_empty() || is_blank && line.trim_ascii().is_empty() {
                continue;
            }
            fields.clear();
            match self.delimiter {
                Some(byte) => fields.extend(line.split(|c| *c == byte).map(<[u8]>::trim_ascii)),
                None => {
                    let words = line.split(|c| c.is_ascii_whitespace() || *c == 0x0b);
                    fields.extend(words.filter(|word| !word.is_empty()));
                }
            }
            piece.fault = self.row(&fields, &mut piece).err();
        }
        piece
    }

    fn row(&self, fields: &[&[u8]], piece: &mut Piece) -> Result<(), Fault> {
        let (found, row) = (fields.len(), piece.rows);
        if piece.fields != found && self.columns.is_none() && row > 0 {
            return Err(Fault::Fields { found, row });
        }
        piece.fields = found;
        match &self.columns {
            None => {
                for (column, field) in fields.iter().enumerate() {
                    piece.numbers.push(self.number(field, row, column)?);
                }
                piece.width = found;
            }
            Some(columns) => {
                for wanted in columns {
                    let column = if *wanted < 0 { wanted + found as i64 } else { *wanted };
                    let field = usize::try_from(column).ok().and_then(|at| fields.get(at));
                    let Some(field) = field else {
                        return Err(Fault::Column { wanted: *wanted, fields: found, row });
                    };
                    piece.numbers.push(self.number(field, row, column as usize)?);
                }
                piece.width = columns.len();
            }
        }
        piece.rows += 1;
        Ok(())
    }

    #[inline]
    fn number(&self, field: &[u8], row: usize, column: usize) -> Result<u64, Fault> {
        let text = match std::str::from_utf8(field) {
            Ok(text) if text.is_ascii() && !text.contains('\r') => text,
            _ => return Err(Fault::Beyond),
        };
        let number = match self.kind {
            Number::Float => text.parse::<f64>().ok().map(f64::to_bits),
            Number::Integer { low, high } => {
                let number = text.parse::<i128>().ok();
                number.filter(|number| (low..=high).contains(number)).map(|number| number as u64)
            }
        };
        // What Python's numbers may look like besides is the language's to read.
        let is_odd = || text.contains('_');
        let filling = self.filling.filter(|_| self.is_loose || text.is_empty());
        match number.or(filling) {
            Some(_) if number.is_none() && is_odd() => Err(Fault::Beyond),
            Some(number) => Ok(number),
            None if is_odd() => Err(Fault::Beyond),
            None => Err(Fault::Number { text: text.to_owned(), row, column }),
        }
    }
}

impl Piece {
    /// Takes the next line if it is a row of numbers and nothing else.
    #[inline]
    fn quick_line(&mut self, form: &Form, rest: &mut &[u8]) -> bool {
        let before = self.numbers.len();
        match quick::line(form, rest, &mut self.numbers) {
            Some((fields, length)) if self.rows == 0 || fields == self.fields => {
                if self.rows == 0 {
                    // About as many as will come: a number and what ends it are two bytes at least.
                    let likely = (rest.len() / length + 1).saturating_mul(fields) / 16 * 17;
                    self.numbers.reserve(likely.min(rest.len() / 2 + 1));
                }
                (self.fields, self.width) = (fields, fields);
                self.rows += 1;
                self.lines += 1;
                *rest = &rest[length..];
                true
            }
            _ => {
                self.numbers.truncate(before);
                false
            }
        }
    }
}

/// Where a byte stands first, a word of memory at a time.
fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let spread = ONES * u64::from(wanted);
    let mut at = 0;
    for word in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default()) ^ spread;
        if word.wrapping_sub(ONES) & !word & (ONES << 7) != 0 {
            break;
        }
        at += 8;
    }
    bytes[at..].iter().position(|byte| *byte == wanted).map(|found| at + found)
}

/// Where a text may be cut so that each piece is whole lines of about so many bytes.
pub fn cuts(text: &[u8], size: usize) -> Vec<&[u8]> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > size {
        let Some(end) = find(&rest[size..], b'\n') else { break };
        let (piece, behind) = rest.split_at(size + end + 1);
        pieces.push(piece);
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}
