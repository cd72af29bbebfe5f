//! Python's hierarchy of exceptions, as one table.

use std::fmt;

/// Declares the classes in the order of Python's documentation: a base stands in front of what is
/// derived from it.
macro_rules! hierarchy {
    ($($kind:ident = $name:literal ($($base:ident),*);)*) => {
        /// The classes of error that there are before a program makes its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorKind {
            $(#[doc = $name] $kind,)*
        }

        impl ErrorKind {
            pub const ALL: &[ErrorKind] = &[$(ErrorKind::$kind,)*];

            /// The class's own name.
            pub fn class_name(self) -> &'static str {
                match self {
                    $(ErrorKind::$kind => $name,)*
                }
            }

            /// What the class is derived from, in Python's order.
            pub fn bases(self) -> &'static [ErrorKind] {
                match self {
                    $(ErrorKind::$kind => &[$(ErrorKind::$base),*],)*
                }
            }
        }
    };
}

hierarchy! {
    BaseException = "BaseException" ();
    SystemExit = "SystemExit" (BaseException);
    KeyboardInterrupt = "KeyboardInterrupt" (BaseException);
    GeneratorExit = "GeneratorExit" (BaseException);
    BaseExceptionGroup = "BaseExceptionGroup" (BaseException);
    Exception = "Exception" (BaseException);
    ExceptionGroup = "ExceptionGroup" (BaseExceptionGroup, Exception);
    StopIteration = "StopIteration" (Exception);
    Arithmetic = "ArithmeticError" (Exception);
    FloatingPoint = "FloatingPointError" (Arithmetic);
    Overflow = "OverflowError" (Arithmetic);
    ZeroDivision = "ZeroDivisionError" (Arithmetic);
    Assertion = "AssertionError" (Exception);
    Attribute = "AttributeError" (Exception);
    FrozenInstance = "FrozenInstanceError" (Attribute);
    Buffer = "BufferError" (Exception);
    Eof = "EOFError" (Exception);
    Import = "ImportError" (Exception);
    ModuleNotFound = "ModuleNotFoundError" (Import);
    Lookup = "LookupError" (Exception);
    Index = "IndexError" (Lookup);
    Key = "KeyError" (Lookup);
    Memory = "MemoryError" (Exception);
    Name = "NameError" (Exception);
    UnboundLocal = "UnboundLocalError" (Name);
    Os = "OSError" (Exception);
    BlockingIo = "BlockingIOError" (Os);
    ChildProcess = "ChildProcessError" (Os);
    Connection = "ConnectionError" (Os);
    BrokenPipe = "BrokenPipeError" (Connection);
    ConnectionAborted = "ConnectionAbortedError" (Connection);
    ConnectionRefused = "ConnectionRefusedError" (Connection);
    ConnectionReset = "ConnectionResetError" (Connection);
    FileExists = "FileExistsError" (Os);
    FileNotFound = "FileNotFoundError" (Os);
    Interrupted = "InterruptedError" (Os);
    IsADirectory = "IsADirectoryError" (Os);
    NotADirectory = "NotADirectoryError" (Os);
    Permission = "PermissionError" (Os);
    ProcessLookup = "ProcessLookupError" (Os);
    Timeout = "TimeoutError" (Os);
    Reference = "ReferenceError" (Exception);
    Runtime = "RuntimeError" (Exception);
    NotImplemented = "NotImplementedError" (Runtime);
    Recursion = "RecursionError" (Runtime);
    Syntax = "SyntaxError" (Exception);
    Indentation = "IndentationError" (Syntax);
    Tab = "TabError" (Indentation);
    System = "SystemError" (Exception);
    Type = "TypeError" (Exception);
    Value = "ValueError" (Exception);
    Unicode = "UnicodeError" (Value);
    UnicodeDecode = "UnicodeDecodeError" (Unicode);
    UnicodeEncode = "UnicodeEncodeError" (Unicode);
    JsonDecode = "JSONDecodeError" (Value);
    // What a file can't do.
    Unsupported = "UnsupportedOperation" (Os, Value);
    LinAlg = "LinAlgError" (Value, Runtime);
    // Shapes that do not fit: NumPy raises ValueError, PyTorch RuntimeError.
    Shape = "ShapeError" (Value, Runtime);
    Axis = "AxisError" (Value, Index);
    OutOfMemory = "OutOfMemoryError" (Memory, Runtime);
    Warning = "Warning" (Exception);
    BytesWarning = "BytesWarning" (Warning);
    DeprecationWarning = "DeprecationWarning" (Warning);
    FutureWarning = "FutureWarning" (Warning);
    ImportWarning = "ImportWarning" (Warning);
    PendingDeprecationWarning = "PendingDeprecationWarning" (Warning);
    ResourceWarning = "ResourceWarning" (Warning);
    RuntimeWarning = "RuntimeWarning" (Warning);
    SyntaxWarning = "SyntaxWarning" (Warning);
    UnicodeWarning = "UnicodeWarning" (Warning);
    UserWarning = "UserWarning" (Warning);
}

impl ErrorKind {
    /// The class of an OSError with this number, Linux's, as Python has it.
    pub fn of_errno(number: i64) -> ErrorKind {
        match number {
            1 | 13 => ErrorKind::Permission,
            2 => ErrorKind::FileNotFound,
            3 => ErrorKind::ProcessLookup,
            4 => ErrorKind::Interrupted,
            10 => ErrorKind::ChildProcess,
            11 | 114 | 115 => ErrorKind::BlockingIo,
            17 => ErrorKind::FileExists,
            20 => ErrorKind::NotADirectory,
            21 => ErrorKind::IsADirectory,
            32 | 108 => ErrorKind::BrokenPipe,
            103 => ErrorKind::ConnectionAborted,
            104 => ErrorKind::ConnectionReset,
            110 => ErrorKind::Timeout,
            111 => ErrorKind::ConnectionRefused,
            _ => ErrorKind::Os,
        }
    }

    /// What messages call it. An error that has no class of its own in NumPy goes by Python's name.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Shape => ErrorKind::Value.class_name(),
            ErrorKind::OutOfMemory => ErrorKind::Memory.class_name(),
            _ => self.class_name(),
        }
    }

    /// The class that programs see: errors of shapes have none of their own.
    pub fn public(self) -> ErrorKind {
        if self == ErrorKind::Shape { ErrorKind::Value } else { self }
    }

    /// Whether an `except` for `other` catches it.
    pub fn is_a(self, other: ErrorKind) -> bool {
        self == other || self.bases().iter().any(|base| base.is_a(other))
    }

    /// Itself and all that it is derived from, in the order in which Python looks attributes up.
    pub fn line(self) -> Vec<ErrorKind> {
        // A class comes behind all that is derived from it: of two ways the longer one counts.
        let mut line = vec![self];
        for base in self.bases() {
            let above = base.line();
            line.retain(|kind| !above.contains(kind));
            line.extend(above);
        }
        line
    }

    /// Whether an object's arguments are looked at when it is made: they are fields of it, or say its class.
    #[inline]
    pub fn has_parts(self) -> bool {
        use ErrorKind::{BaseExceptionGroup, ExceptionGroup, JsonDecode, Os};
        matches!(self, BaseExceptionGroup | ExceptionGroup | JsonDecode | Os)
    }

    /// The class of this name that bare code sees; those of modules have none.
    pub fn is_builtin(self) -> bool {
        !matches!(
            self,
            ErrorKind::Shape
                | ErrorKind::Axis
                | ErrorKind::LinAlg
                | ErrorKind::OutOfMemory
                | ErrorKind::JsonDecode
                | ErrorKind::Unsupported
                | ErrorKind::FrozenInstance
        )
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_leads_to_the_first() {
        for kind in ErrorKind::ALL {
            assert!(kind.is_a(ErrorKind::BaseException), "{kind}");
            assert_eq!(kind.line().last(), Some(&ErrorKind::BaseException), "{kind}");
            assert_eq!(kind.line()[0], *kind);
        }
        assert!(!ErrorKind::KeyboardInterrupt.is_a(ErrorKind::Exception));
        assert!(
            ErrorKind::Shape.is_a(ErrorKind::Value) && ErrorKind::Shape.is_a(ErrorKind::Runtime)
        );
        assert!(ErrorKind::Axis.is_a(ErrorKind::Index) && ErrorKind::Axis.is_a(ErrorKind::Value));
    }

    #[test]
    fn the_line_of_two_bases_is_as_python_has_it() {
        let line: Vec<&str> =
            ErrorKind::Axis.line().into_iter().map(ErrorKind::class_name).collect();
        let expected =
            ["AxisError", "ValueError", "IndexError", "LookupError", "Exception", "BaseException"];
        assert_eq!(line, expected);
    }
}
