//! Names that people bring with them and that stand for nothing here: what there is instead.

/// What to type instead of a bare name, as a hint.
pub fn instead_of_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "exit" | "quit" | "q" | "bye" | "logout" => "`:quit` leaves, and so does Ctrl-D",
        "In" | "_i" | "_ii" | "_iii" | "_ih" => "`:history` lists what was typed",
        "_oh" => "`Out` holds the results",
        "help" | "man" | "info" => "`:help` says where to begin, `name?` what a name does",
        "clear" | "cls" => "Ctrl-L clears the screen, `:reset` forgets the variables",
        "who" | "whos" => "`:who` lists the variables",
        "timeit" => "`:timeit` times a statement",
        "null" | "nil" | "NULL" | "nullptr" | "none" | "undefined" => {
            "Python's name for it is `None`"
        }
        "NaN" | "NAN" => "NumPy's name for it is `nan`",
        "Inf" | "INF" | "Infinity" | "infinity" => "NumPy's name for it is `inf`",
        "PI" => "NumPy's name for it is `pi`",
        "plt" | "matplotlib" | "plot" => "`:plot`, `:hist` and `:heat` draw",
        "xp" | "cp" | "cupy" | "jnp" | "jax" | "tf" => {
            "`np`, `torch` and `genesis` name the library; no module is needed"
        }
        _ => return None,
    })
}

/// What there is instead of an attribute of one of the library's modules.
pub fn instead_in_module(name: &str) -> Option<&'static str> {
    Some(match name {
        "default_rng" | "RandomState" | "Generator" | "SeedSequence" | "PCG64" => {
            "there is one stream of random numbers: `np.random.seed(0)` starts it, and `rand`, \
             `randn`, `randint`, `normal` and `uniform` draw from it"
        }
        "no_grad" | "enable_grad" | "inference_mode" | "set_grad_enabled" | "autograd" | "grad" => {
            GRADIENTS
        }
        "ndarray" | "matrix" => "`array` makes a tensor",
        _ => return None,
    })
}

/// What there is instead of an attribute of a tensor.
pub fn instead_of_attribute(name: &str) -> Option<&'static str> {
    Some(match name {
        "backward" | "grad" | "grad_fn" | "is_leaf" | "requires_grad_" | "retain_grad"
        | "register_hook" | "zero_grad" => GRADIENTS,
        "base" => "`:mem vars` says whose memory a view looks into",
        "data" | "__cuda_array_interface__" | "__dlpack__" => {
            "a tensor's elements as numbers are `x.tolist()` and `x.item()`"
        }
        _ => return None,
    })
}

pub const GRADIENTS: &str = "gradients are not computed here";
