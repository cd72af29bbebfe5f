//! The functions of cuSOLVER that are used, found at run time. Matrices lie by columns.

use std::ffi::{c_char, c_int, c_void};

use libloading::Library;

use crate::device::Error;
use crate::device::cuda::library::Dependency;

pub type Handle = *mut c_void;
type Any = *mut c_void;

type SizeOf2 = unsafe extern "C" fn(Handle, c_int, c_int, Any, c_int, *mut c_int) -> c_int;
type GetrfOf = unsafe extern "C" fn(Handle, c_int, c_int, Any, c_int, Any, Any, Any) -> c_int;
type PotrfOf = unsafe extern "C" fn(Handle, c_int, c_int, Any, c_int, Any, c_int, Any) -> c_int;
type GeqrfOf =
    unsafe extern "C" fn(Handle, c_int, c_int, Any, c_int, Any, Any, c_int, Any) -> c_int;
type OrgqrSizeOf =
    unsafe extern "C" fn(Handle, c_int, c_int, c_int, Any, c_int, Any, *mut c_int) -> c_int;
type OrgqrOf =
    unsafe extern "C" fn(Handle, c_int, c_int, c_int, Any, c_int, Any, Any, c_int, Any) -> c_int;
type SyevdSizeOf =
    unsafe extern "C" fn(Handle, c_int, c_int, c_int, Any, c_int, Any, *mut c_int) -> c_int;
type SyevdOf =
    unsafe extern "C" fn(Handle, c_int, c_int, c_int, Any, c_int, Any, Any, c_int, Any) -> c_int;
type GesvdSizeOf = unsafe extern "C" fn(Handle, c_int, c_int, *mut c_int) -> c_int;
type GesvdOf = unsafe extern "C" fn(
    Handle,
    c_char,
    c_char,
    c_int,
    c_int,
    Any,
    c_int,
    Any,
    Any,
    c_int,
    Any,
    c_int,
    Any,
    c_int,
    Any,
    Any,
) -> c_int;

type JacobiSizeOf = unsafe extern "C" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    Any,
    c_int,
    Any,
    Any,
    c_int,
    Any,
    c_int,
    *mut c_int,
    Any,
) -> c_int;
type JacobiOf = unsafe extern "C" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    Any,
    c_int,
    Any,
    Any,
    c_int,
    Any,
    c_int,
    Any,
    c_int,
    Any,
    Any,
) -> c_int;

/// Which vectors are wanted, n, the matrix, the values, the left and the right vectors, each but for n behind its
/// type, the type that is computed in, and what else there is.
macro_rules! geev {
    ($($rest:ty),*) => {
        unsafe extern "C" fn(
            Handle,
            Any,
            c_int,
            c_int,
            i64,
            c_int,
            Any,
            i64,
            c_int,
            Any,
            c_int,
            Any,
            i64,
            c_int,
            Any,
            i64,
            c_int,
            $($rest),*
        ) -> c_int
    };
}

type GeevSizeOf = geev!(*mut usize, *mut usize);
type GeevOf = geev!(Any, usize, Any, usize, Any);

/// What finds eigenvalues of general matrices, in cuSOLVER from CUDA 12.6 on.
#[derive(Debug, Clone, Copy)]
pub struct General {
    pub create_params: unsafe extern "C" fn(*mut Any) -> c_int,
    pub destroy_params: unsafe extern "C" fn(Any) -> c_int,
    pub geev_size: GeevSizeOf,
    pub geev: GeevOf,
}

impl General {
    fn of(library: &Library) -> Result<General, String> {
        Ok(General {
            create_params: function(library, "cusolverDnCreateParams")?,
            destroy_params: function(library, "cusolverDnDestroyParams")?,
            geev_size: function(library, "cusolverDnXgeev_bufferSize")?,
            geev: function(library, "cusolverDnXgeev")?,
        })
    }
}

/// Makes the struct of the functions: those for all types, and those of which float32 and float64 have
/// one each.
macro_rules! functions {
    ($($any:ident: $Any:ty = $symbol:literal;)* @ $($typed:ident: $Typed:ty = $name:literal;)*) => {
        #[derive(Debug, Clone, Copy)]
        pub struct Functions {
            /// Not in every version.
            pub general: Option<General>,
            $(pub $any: $Any,)*
            $(pub $typed: $Typed,)*
        }

        impl Functions {
            fn of(library: &Library, letter: char) -> Result<Functions, String> {
                Ok(Functions {
                    general: General::of(library).ok(),
                    $($any: function(library, concat!("cusolverDn", $symbol))?,)*
                    $($typed: function(library, &format!("cusolverDn{letter}{}", $name))?,)*
                })
            }
        }
    };
}

functions! {
    create: unsafe extern "C" fn(*mut Handle) -> c_int = "Create";
    destroy: unsafe extern "C" fn(Handle) -> c_int = "Destroy";
    set_stream: unsafe extern "C" fn(Handle, Any) -> c_int = "SetStream";
    create_settings: unsafe extern "C" fn(*mut Any) -> c_int = "CreateGesvdjInfo";
    destroy_settings: unsafe extern "C" fn(Any) -> c_int = "DestroyGesvdjInfo";
    @
    getrf_size: SizeOf2 = "getrf_bufferSize";
    getrf: GetrfOf = "getrf";
    potrf_size: SizeOf2 = "potrf_bufferSize";
    potrf: PotrfOf = "potrf";
    geqrf_size: SizeOf2 = "geqrf_bufferSize";
    geqrf: GeqrfOf = "geqrf";
    orgqr_size: OrgqrSizeOf = "orgqr_bufferSize";
    orgqr: OrgqrOf = "orgqr";
    syevd_size: SyevdSizeOf = "syevd_bufferSize";
    syevd: SyevdOf = "syevd";
    gesvd_size: GesvdSizeOf = "gesvd_bufferSize";
    gesvd: GesvdOf = "gesvd";
    gesvdj_size: JacobiSizeOf = "gesvdj_bufferSize";
    gesvdj: JacobiOf = "gesvdj";
}

/// The functions for float32 and for float64.
pub type Api = [Functions; 2];

/// # Errors
/// cuSOLVER is not there: how to get it.
pub fn load() -> Result<Api, String> {
    let library = Dependency::Cusolver.library()?;
    let api = [Functions::of(&library, 'S')?, Functions::of(&library, 'D')?];
    // The functions are used as long as the process lives.
    std::mem::forget(library);
    Ok(api)
}

fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the fields that these go to have the types of cuSOLVER's header; it stays open.
    unsafe { Dependency::Cusolver.function(library, name) }
}

pub fn check(what: &str, status: c_int) -> Result<(), Error> {
    let words = match status {
        0 => return Ok(()),
        1 => "CUSOLVER_STATUS_NOT_INITIALIZED",
        2 => "CUSOLVER_STATUS_ALLOC_FAILED",
        3 => "CUSOLVER_STATUS_INVALID_VALUE",
        4 => "CUSOLVER_STATUS_ARCH_MISMATCH",
        6 => "CUSOLVER_STATUS_EXECUTION_FAILED",
        7 => "CUSOLVER_STATUS_INTERNAL_ERROR",
        9 => "CUSOLVER_STATUS_NOT_SUPPORTED",
        _ => return Err(Error::Driver(format!("cuSOLVER failed at {what}: status {status}"))),
    };
    Err(Error::Driver(format!("cuSOLVER failed at {what}: {words}")))
}
