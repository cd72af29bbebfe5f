//! Names that people bring with them and that stand for nothing here: what there is instead.

/// What to type instead of a bare name, as a hint.
pub fn instead_of_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "q" | "bye" | "logout" => "`:quit` leaves, and so does Ctrl-D",
        "In" | "_i" | "_ii" | "_iii" | "_ih" => "`:history` lists what was typed",
        "true" | "TRUE" | "ture" | "yes" => "Python's name for it is `True`",
        "false" | "FALSE" | "flase" | "no" => "Python's name for it is `False`",
        "Out" => "`Out` holds the results of inputs at a prompt, from the first on",
        "_oh" => "`Out` holds the results",
        "info" | "about" | "version" => "`:help` says where to begin, `name?` what a name does",
        "who" | "whos" => "`:who` lists the variables",
        "timeit" => "`:timeit` times a statement",
        "null" | "nil" | "NULL" | "nullptr" | "none" | "undefined" => {
            "Python's name for it is `None`"
        }
        "bytearray" | "memoryview" => {
            "`bytes` never change here; a tensor of `uint8` holds bytes that do"
        }
        "eval" | "exec" | "compile" | "__import__" => "a program is no text here; `import` imports",
        "NaN" | "NAN" => "NumPy's name for it is `nan`",
        "Inf" | "INF" | "Infinity" | "infinity" => "NumPy's name for it is `inf`",
        "PI" => "NumPy's name for it is `pi`",
        "plt" | "matplotlib" | "plot" | "hist" | "imshow" | "scatter" | "savefig" | "figure"
        | "subplot" | "subplots" | "heatmap" => {
            "`import matplotlib.pyplot as plt` brings it; `:plot x`, `:hist x` and `:heat x` draw at once"
        }
        "pd" | "pandas" | "pl" | "polars" | "read_csv" | "read_parquet" => TABLES,
        "xp" | "cp" | "cupy" | "jnp" | "jax" | "tf" => {
            "`np`, `torch` and `genesis` name the library; no module is needed"
        }
        "println" | "console" | "System" | "cout" | "puts" | "disp" | "echo" => {
            "Python's name for it is `print`"
        }
        "self" => "a method has it as its first parameter: `def name(self):`",
        "this" => "Python's name for it is `self`, the first parameter of a method",
        "library" | "using" | "include" => "`import` brings a module",
        "string" | "String" => "Python's name for it is `str`",
        "double" => "Python's name for it is `float`",
        "boolean" => "Python's name for it is `bool`",
        _ => return crate::syntax::shell_word(name),
    })
}

/// Instead of libraries for tables.
const TABLES: &str = "`load(\"x.csv\")` reads a table of numbers, `load(\"x.parquet\")` and `load(\"x.feather\")` columns; \
                      `stats` describes them";

/// Instead of a float of more than 64 bits.
pub const WIDEST_FLOAT: &str = "the widest float is `float64`";

/// What there is instead of an attribute of one of the library's modules.
pub fn instead_in_module(name: &str) -> Option<&'static str> {
    Some(match name {
        "no_grad" | "enable_grad" | "inference_mode" | "set_grad_enabled" | "autograd" | "grad" => {
            GRADIENTS
        }
        "system" | "popen" | "fork" | "execv" | "execve" | "execvp" | "spawnv" | "startfile"
        | "kill" => "programs start no processes here",
        "remove" | "unlink" | "mkdir" | "makedirs" | "rmdir" | "removedirs" | "rename"
        | "replace" | "chdir" | "scandir" | "stat" => {
            "programs read the names of files here, and change none"
        }
        "ndarray" | "matrix" => "`array` makes a tensor",
        "longdouble" | "float96" | "float128" => WIDEST_FLOAT,
        "pie" | "boxplot" | "violinplot" | "stackplot" | "polar" => {
            "`plt.bar` and `plt.hist` show parts and distributions here"
        }
        "contour" | "contourf" | "hist2d" | "hexbin" | "quiver" | "streamplot" | "specgram" => {
            "`plt.imshow` and `plt.pcolormesh` draw over two axes here; `np.histogram2d` counts"
        }
        "style" | "colormaps" | "get_cmap" | "rc" | "rcdefaults" => {
            "figures have one style here; `cmap=\"viridis\"` chooses colours"
        }
        "ma" => "`x[mask]`, `where` and the `nan…` functions leave elements out",
        "datetime64" | "timedelta64" | "datetime_as_string" | "busday_count" | "busday_offset"
        | "is_busday" => "arrays hold numbers here; `datetime` has dates",
        "char" | "strings" | "rec" | "str_" | "bytes_" | "chararray" | "recarray" => {
            "arrays hold numbers here; lists hold texts"
        }
        _ => return None,
    })
}

/// What there is instead of a module.
pub fn instead_of_module(path: &str) -> Option<&'static str> {
    Some(match path.split('.').next().unwrap_or_default() {
        "torch" if path.starts_with("torch.autograd") => GRADIENTS,
        "decimal" => {
            "numbers are integers of 64 bits and floats here; `fractions` computes exactly"
        }
        "queue" | "sched" => "there is one thread here; `collections.deque` is a queue",
        "subprocess" | "multiprocessing" | "threading" | "concurrent" | "asyncio" | "socket"
        | "signal" => "programs start no processes or threads here",
        "matplotlib" | "seaborn" | "plotly" | "bokeh" | "altair" => {
            "`matplotlib.pyplot` draws; so do `:plot`, `:hist` and `:heat`"
        }
        "pandas" | "polars" | "pyarrow" | "duckdb" => TABLES,
        "PIL" | "cv2" | "imageio" | "skimage" => {
            "`load(\"x.png\")` and `load(\"x.jpg\")` read pictures, `save(\"x.png\", x)` writes one"
        }
        "h5py" | "zarr" | "tables" | "netCDF4" => {
            "HDF5 and Zarr are not read here; `.npy`, `.npz`, `.safetensors` and `.parquet` are"
        }
        "scipy" | "sklearn" | "cupy" | "jax" | "tensorflow" | "triton" => {
            "`numpy`, `torch` and `genesis` name the library here; others are not there"
        }
        "zoneinfo" => "`datetime` and `time` have dates and times",
        "array" | "struct" | "ctypes" => {
            "a tensor of the type holds such numbers: `zeros(3, dtype=int16)`; `np.frombuffer(b, int16)` reads them \
             out of bytes"
        }
        "uuid" | "secrets" => {
            "`random.getrandbits(62)` and `random.choices` make names that nobody else has"
        }
        "hashlib" | "base64" | "zlib" | "gzip" | "bz2" | "lzma" | "zipfile" | "tarfile"
        | "codecs" | "marshal" => {
            "`bytes` have `hex`, `decode` and `np.frombuffer` here, and texts `encode`"
        }
        "weakref" => {
            "what nobody holds ends at once here; `gc.collect()` lets go of what holds itself"
        }
        "unittest" | "doctest" | "pytest" => "`assert` and `numpy.testing` compare here",
        "cProfile" | "profile" | "pstats" | "tracemalloc" | "resource" => {
            "`:time` and `:timeit` time a statement, `:mem` shows the memory"
        }
        "pdb" | "bdb" | "faulthandler" | "dis" | "ast" | "symtable" => {
            "`:explain` shows what a statement does"
        }
        "importlib" | "runpy" | "pkgutil" => "`import` imports; programs load no modules",
        "locale" | "gettext" => "numbers and texts are written in one way here",
        "configparser" | "tomllib" | "xml" | "html" | "sqlite3" | "email" => {
            "`json`, `csv` and `re` read texts here"
        }
        "urllib" | "http" | "requests" | "ssl" | "ftplib" => "programs reach no network here",
        "shutil" | "tempfile" => {
            "`os.makedirs` makes folders, `open` writes a file under any name; programs remove and move none"
        }
        "pickle" | "shelve" => "`json` writes values as text, `:save` keeps a session",
        _ => return None,
    })
}

/// What there is instead of an attribute of a tensor.
pub fn instead_of_attribute(name: &str) -> Option<&'static str> {
    Some(match name {
        "tostring" => "NumPy's name for it is `x.tobytes()`",
        "backward" | "grad" | "grad_fn" | "is_leaf" | "requires_grad_" | "retain_grad"
        | "register_hook" | "zero_grad" => GRADIENTS,
        "data" | "__cuda_array_interface__" => {
            "a tensor's elements as numbers are `x.tolist()` and `x.item()`"
        }
        _ => return None,
    })
}

pub const GRADIENTS: &str = "gradients are not computed here";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::did_you_mean;
    use crate::interp::builtins::Registry;

    /// What hands do to names, and what was meant.
    const TYPOS: &[(&str, &str)] = &[
        ("arrange", "arange"),
        ("aranage", "arange"),
        ("linsapce", "linspace"),
        ("zeors", "zeros"),
        ("zeroes", "zeros"),
        ("onse", "ones"),
        ("arry", "array"),
        ("arrya", "array"),
        ("reshpe", "reshape"),
        ("tranpose", "transpose"),
        ("concatinate", "concatenate"),
        ("stck", "stack"),
        ("maxium", "maximum"),
        ("minumum", "minimum"),
        ("abss", "abs"),
        ("sqr", "sqrt"),
        ("mena", "mean"),
        ("meen", "mean"),
        ("medain", "median"),
        ("stdd", "std"),
        ("vra", "var"),
        ("cumsm", "cumsum"),
        ("argmx", "argmax"),
        ("argsrot", "argsort"),
        ("srot", "sort"),
        ("uniqe", "unique"),
        ("flaten", "flatten"),
        ("sqeeze", "squeeze"),
        ("expend_dims", "expand_dims"),
        ("broadcst_to", "broadcast_to"),
        ("wehre", "where"),
        ("nonezero", "nonzero"),
        ("clp", "clip"),
        ("roud", "round"),
        ("siin", "sin"),
        ("coss", "cos"),
        ("tnah", "tanh"),
        ("sigmod", "sigmoid"),
        ("sofmax", "softmax"),
        ("reluu", "relu"),
        ("matmull", "matmul"),
        ("einsumm", "einsum"),
        ("dott", "dot"),
        ("eey", "eye"),
        ("idnetity", "identity"),
        ("randnn", "randn"),
        ("rnad", "rand"),
        ("unifrom", "uniform"),
        ("pirnt", "print"),
        ("lenn", "len"),
        ("rnage", "range"),
        ("flaot32", "float32"),
        ("in64", "int64"),
        ("prnt", "print"),
        ("pint", "print"),
        ("Zeros", "zeros"),
        ("Print", "print"),
        ("cumSum", "cumsum"),
        ("expanddims", "expand_dims"),
        ("log_softmx", "log_softmax"),
    ];

    #[test]
    fn typical_typos_are_understood() {
        let registry = Registry::new();
        for (typed, meant) in TYPOS {
            assert_eq!(did_you_mean(typed, registry.names()), Some(*meant), "{typed}");
        }
    }

    #[test]
    fn what_is_no_typo_gets_no_guess() {
        let registry = Registry::new();
        for name in
            ["ture", "nul", "foo", "bar", "data", "df", "tmp", "xs", "result", "model", "lr", "of"]
        {
            assert_eq!(did_you_mean(name, registry.names()), None, "{name}");
        }
        for name in ["bye", "In", "null", "plt"] {
            assert!(instead_of_name(name).is_some(), "{name}");
        }
    }
}
