//! CUDA C to machine code, by NVRTC.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use cudarc::nvrtc::{result, sys};

use super::library::Dependency;
use crate::device::Error;

/// What every kernel is compiled with. Without contraction to fused multiply-adds, sums and products
/// have the bits that the CPU's have.
const OPTIONS: [&str; 3] = ["--fmad=false", "-std=c++17", "--device-int128"];

/// NVRTC, opened.
#[derive(Debug)]
pub struct Compiler {
    /// Major and minor.
    pub version: (i32, i32),
    /// `sm_90`.
    pub architecture: String,
}

impl Compiler {
    /// # Errors
    /// There is no NVRTC.
    pub fn open(capability: (i32, i32)) -> Result<Compiler, Error> {
        Dependency::Nvrtc.open().map_err(Error::Driver)?;
        let version = version()?;
        let architecture = format!("sm_{}{}", capability.0, capability.1);
        Ok(Compiler { version, architecture })
    }

    /// All options of a compilation, in order.
    pub fn options(&self) -> Vec<String> {
        let mut options = vec![format!("--gpu-architecture={}", self.architecture)];
        options.extend(OPTIONS.map(str::to_string));
        options
    }

    /// Machine code (CUBIN) for `text`.
    ///
    /// # Errors
    /// [`Error::Compile`] with NVRTC's log, whose places are lines of the files that `#line` names.
    pub fn compile(&self, text: &str, options: &[String]) -> Result<Vec<u8>, Error> {
        let failed = |log: String| Error::Compile { log };
        let text = CString::new(text).map_err(|_| failed("the text has a zero byte".into()))?;
        let options: Vec<CString> =
            options.iter().filter_map(|option| CString::new(option.as_str()).ok()).collect();
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let program = Program::new(&text).map_err(failed)?;
        // SAFETY: the program is live, and the options outlive the call.
        let status =
            unsafe { sys::nvrtcCompileProgram(program.0, options.len() as i32, options.as_ptr()) };
        match status {
            sys::nvrtcResult::NVRTC_SUCCESS => program.machine_code().map_err(failed),
            sys::nvrtcResult::NVRTC_ERROR_COMPILATION => Err(failed(program.log())),
            status => Err(failed(format!("{status:?}\n{}", program.log()))),
        }
    }
}

/// NVRTC's version. It must be in the process.
fn version() -> Result<(i32, i32), Error> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: NVRTC is in the process, and both pointers are to live integers.
    match unsafe { sys::nvrtcVersion(&mut major, &mut minor) } {
        sys::nvrtcResult::NVRTC_SUCCESS => Ok((major, minor)),
        status => Err(Error::Driver(format!("NVRTC does not work: {status:?}"))),
    }
}

/// NVRTC's version, if it can be found.
pub fn compiler_version() -> Option<(i32, i32)> {
    Dependency::Nvrtc.open().ok()?;
    version().ok()
}

/// A program of NVRTC's, destroyed with this.
struct Program(sys::nvrtcProgram);

impl Program {
    fn new(text: &CStr) -> Result<Program, String> {
        result::create_program(text, None).map(Program).map_err(|error| format!("{error:?}"))
    }

    fn machine_code(&self) -> Result<Vec<u8>, String> {
        let mut size = 0;
        // SAFETY: the program is live; the buffer has the size that NVRTC asks for.
        unsafe {
            sys::nvrtcGetCUBINSize(self.0, ptr::from_mut(&mut size).cast())
                .result()
                .map_err(|error| format!("{error:?}"))?;
            let mut code = vec![0u8; size];
            sys::nvrtcGetCUBIN(self.0, code.as_mut_ptr().cast())
                .result()
                .map_err(|error| format!("{error:?}"))?;
            Ok(code)
        }
    }

    fn log(&self) -> String {
        // SAFETY: the program is live.
        let bytes = unsafe { result::get_program_log(self.0) }.unwrap_or_default();
        let bytes: Vec<u8> = bytes.iter().map(|byte| *byte as u8).filter(|b| *b != 0).collect();
        String::from_utf8_lossy(&bytes).trim_end().to_string()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made by `Program::new`, destroyed once. A failure leaves nothing to do.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}
