//! The words of the language: kinds of token, keywords, operators.

/// One token and the bytes that it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// The end of a logical line.
    Newline,
    /// The blanks in front of a line that is deeper than the one above.
    Indent,
    /// The end of a block: nothing, in front of the first line behind it.
    Dedent,
    Eof,
    Name,
    Keyword(Keyword),
    Number,
    /// A whole string literal that is no f-string, prefix and quotes included.
    Str,
    /// `f"`, or another prefix and quote that open an f-string.
    FStringStart,
    /// Text between the fields of an f-string, or of a format specification.
    FStringText,
    FStringEnd,
    Op(Op),
    /// A whole `:command arguments` line.
    Command,
    /// A whole `name?` or `?name` line.
    Help,
    Error(LexError),
}

/// What is wrong with a piece of text that is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LexError {
    UnterminatedString,
    UnterminatedTriple,
    UnterminatedFString,
    SingleBrace,
    Number(NumberError),
    /// A closing bracket without an opening one.
    Unmatched,
    /// A closing bracket of another kind than the one that is open.
    Mismatched,
    TooDeep,
    /// A line as deep as no open block.
    Unindent,
    /// Tabs and blanks that tell readers with different tab stops different things.
    Tabs,
    TooManyIndents,
    StrayBackslash,
    BackslashAtEnd,
    SmartQuote,
    Blank,
    Control,
    Character,
}

/// What is wrong with a number literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    Decimal,
    Hexadecimal,
    Octal,
    Binary,
    LeadingZeros,
}

/// Defines an enum whose variants are spelled in one way each.
macro_rules! spelled {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($variant,)* }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// As written in the text.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            pub fn from_text(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

spelled! {
    /// Python's reserved words. Those that the language does not use are reserved all the same.
    Keyword {
        False "False", None "None", True "True", And "and", As "as", Assert "assert",
        Async "async", Await "await", Break "break", Class "class", Continue "continue",
        Def "def", Del "del", Elif "elif", Else "else", Except "except", Finally "finally",
        For "for", From "from", Global "global", If "if", Import "import", In "in", Is "is",
        Lambda "lambda", Nonlocal "nonlocal", Not "not", Or "or", Pass "pass", Raise "raise",
        Return "return", Try "try", While "while", With "with", Yield "yield",
    }
}

spelled! {
    /// Operators and punctuation.
    Op {
        LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
        Comma ",", Semicolon ";", Colon ":", Dot ".", Equal "=", Exclaim "!", Tilde "~",
        Plus "+", Minus "-", Star "*", Slash "/", Percent "%", At "@", Amper "&", Bar "|",
        Caret "^", Less "<", Greater ">",
        DoubleStar "**", DoubleSlash "//", LeftShift "<<", RightShift ">>",
        EqEqual "==", NotEqual "!=", LessEqual "<=", GreaterEqual ">=",
        Arrow "->", ColonEqual ":=",
        PlusEqual "+=", MinusEqual "-=", StarEqual "*=", SlashEqual "/=", PercentEqual "%=",
        AtEqual "@=", AmperEqual "&=", BarEqual "|=", CaretEqual "^=",
        DoubleStarEqual "**=", DoubleSlashEqual "//=", LeftShiftEqual "<<=",
        RightShiftEqual ">>=", Ellipsis "...",
    }
}

impl Op {
    /// The longest operator that `text` begins with.
    pub fn at_start(text: &str) -> Option<Op> {
        if matches!(text.as_bytes().first()?, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',') {
            return Op::from_text(&text[..1]);
        }
        (1..=3).rev().find_map(|length| Op::from_text(text.get(..length)?))
    }

    /// The bracket that closes this one.
    pub fn closing(self) -> Option<Op> {
        match self {
            Op::LParen => Some(Op::RParen),
            Op::LBracket => Some(Op::RBracket),
            Op::LBrace => Some(Op::RBrace),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_operator_wins() {
        assert_eq!(Op::at_start("**=2"), Some(Op::DoubleStarEqual));
        assert_eq!(Op::at_start("**2"), Some(Op::DoubleStar));
        assert_eq!(Op::at_start("*µ"), Some(Op::Star));
        assert_eq!(Op::at_start("..5"), Some(Op::Dot));
        assert_eq!(Op::at_start("$"), None);
    }

    #[test]
    fn spelling_goes_both_ways() {
        for &op in Op::ALL {
            assert_eq!(Op::from_text(op.text()), Some(op));
        }
        for &keyword in Keyword::ALL {
            assert_eq!(Keyword::from_text(keyword.text()), Some(keyword));
        }
    }
}
