//! The namespaces that a program can import.

/// Declares the modules, each with the paths by which programs import it; the first is its name.
macro_rules! modules {
    ($($module:ident = $name:literal $(or $path:literal)*;)*) => {
        /// The built-in namespaces. NumPy's, PyTorch's and Genesis's hold the same names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Module {
            $(#[doc = $name] $module,)*
        }

        impl Module {
            pub const ALL: &[Module] = &[$(Module::$module,)*];

            /// The path by which Python knows it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Module::$module => $name,)*
                }
            }

            /// The paths by which programs import it.
            const fn paths(self) -> &'static [&'static str] {
                match self {
                    $(Module::$module => &[$name $(, $path)*],)*
                }
            }

            /// The module that a path means.
            pub fn find(path: &str) -> Option<Module> {
                Some(match path {
                    $($name $(| $path)* => Module::$module,)*
                    _ => return None,
                })
            }
        }
    };
}

modules! {
    Numpy = "numpy";
    Torch = "torch";
    Genesis = "genesis";
    Linalg = "numpy.linalg" or "torch.linalg" or "genesis.linalg";
    Fft = "numpy.fft" or "torch.fft" or "genesis.fft";
    Random = "numpy.random" or "torch.random" or "genesis.random";
    Cuda = "genesis.cuda" or "torch.cuda" or "genesis.ndarray.cuda_memory_manager";
    Nn = "torch.nn" or "genesis.nn";
    Functional = "torch.nn.functional" or "genesis.nn.functional";
    // Where programs look for the memory manager.
    Ndarray = "genesis.ndarray";
    Time = "time";
    Warnings = "warnings";
    Math = "math";
    Cmath = "cmath";
    StandardRandom = "random";
    Operator = "operator";
    Os = "os";
    Path = "os.path" or "posixpath";
    Json = "json" or "json.decoder" or "json.encoder";
    Itertools = "itertools";
    Functools = "functools";
    Collections = "collections";
    Dataclasses = "dataclasses";
    Typing = "typing";
    CollectionsAbc = "collections.abc";
    Future = "__future__";
    Gc = "gc";
    Sys = "sys";
    Stdout = "sys.stdout";
    Stderr = "sys.stderr";
    Copy = "copy";
    Contextlib = "contextlib";
    Enum = "enum";
    Abc = "abc";
    Statistics = "statistics";
    Bisect = "bisect";
    Heapq = "heapq";
    Textwrap = "textwrap";
    Pprint = "pprint";
    Io = "io";
    Traceback = "traceback";
    Strings = "string";
    Types = "types";
    Inspect = "inspect";
    Re = "re";
    Datetime = "datetime";
    Fractions = "fractions";
    Numbers = "numbers";
    Argparse = "argparse";
    Logging = "logging";
    Csv = "csv";
    Pathlib = "pathlib";
    Fnmatch = "fnmatch";
    Glob = "glob";
    Timeit = "timeit";
    Keyword = "keyword";
    Platform = "platform";
    Calendar = "calendar";
    Builtins = "builtins";
    NumpyLib = "numpy.lib";
    StrideTricks = "numpy.lib.stride_tricks";
    Emath = "numpy.emath" or "numpy.lib.scimath";
    Polynomial = "numpy.polynomial";
    Testing = "numpy.testing";
    Exceptions = "numpy.exceptions";
    NumpyVersion = "numpy.version";
    PowerSeries = "numpy.polynomial.polynomial";
    Matplotlib = "matplotlib";
    Ipython = "IPython";
    IpythonDisplay = "IPython.display" or "IPython.core.display";
    Pyplot = "matplotlib.pyplot" or "pylab";
    Safetensors = "safetensors" or "safetensors.torch" or "safetensors.numpy";
    Gguf = "gguf";
    MlDtypes = "ml_dtypes";
    // What `numpy.linalg` does where a device takes no matrices apart.
    Blocks = "numpy.linalg._blocks";
    ChebyshevSeries = "numpy.polynomial.chebyshev";
    HermiteSeries = "numpy.polynomial.hermite";
    HermiteESeries = "numpy.polynomial.hermite_e";
    LaguerreSeries = "numpy.polynomial.laguerre";
    LegendreSeries = "numpy.polynomial.legendre";
}

impl Module {
    /// Each module that lies in another, with that and the name that it has there.
    pub fn nested() -> impl Iterator<Item = (Module, &'static str, Module)> {
        Module::ALL.iter().flat_map(|module| {
            module.paths().iter().filter_map(|path| {
                let (home, name) = path.rsplit_once('.')?;
                Some((Module::find(home)?, name, *module))
            })
        })
    }
}
