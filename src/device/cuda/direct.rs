//! GPUDirect Storage: what a file holds goes right into the GPU's memory, past the host's, where cuFile is
//! found and the disk, its file system and the driver have a way for it.
//!
//! cuFile is told not to pretend: where there is no such way it would copy through buffers of its own, and
//! pinned pieces do that sooner. Bytes that the system holds in its cache come sooner from there, too.
//! Its functions are looked for here for the reason that `fourier` has. See
//! <https://docs.nvidia.com/gpudirect-storage/api-reference-guide>.

use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::fs::File;
use std::sync::OnceLock;

use libloading::Library;

use super::context::Context;
use super::library::Dependency;
use crate::device::{Error, FileBytes};

/// Fewer bytes come through pinned memory before a file is registered.
const LEAST: usize = 16 << 20;

/// Bytes that are asked for at once: between two such pieces Ctrl-C ends it.
const PIECE: usize = 64 << 20;

/// Places of a part of a file that tell whether the system has it in memory.
const SAMPLES: u64 = 16;

/// Whether cuFile may go through buffers of the host's: where there are tests, there is no such disk.
const MAY_PRETEND: bool = cfg!(test);

/// Bytes on both sides of which files are read another way.
#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[LEAST, PIECE];

/// cuFile, looked for when the first file is long enough.
#[derive(Debug, Default)]
pub struct Direct(OnceLock<Option<Api>>);

impl Direct {
    /// Reads bytes of a file to an address of the GPU; gives how many came, which are fewer where there is
    /// no way, or it ends: the rest is to come another way, which also tells what was wrong. They are there
    /// when this returns.
    ///
    /// # Errors
    /// Ctrl-C; what went wrong in work that was waited for.
    pub fn read(
        &self,
        context: &Context,
        part: FileBytes<'_>,
        to: u64,
        bytes: usize,
    ) -> Result<usize, Error> {
        if context.is_rehearsal || bytes < LEAST || is_cached(part.file, part.start, bytes) {
            return Ok(0);
        }
        let Some(api) = self.0.get_or_init(|| Api::load().ok()) else { return Ok(0) };
        // The memory may still be written by work that was before this.
        context.wait()?;
        api.read(context, part, to, bytes)
    }
}

/// Whether the driver was set up so that disks reach the GPU: by the module `nvidia-fs`, or with all of its
/// memory in the PCI address space. cuFile takes a quarter of a second to find out.
fn may_be_direct() -> bool {
    let is_set =
        |path, word| std::fs::read_to_string(path).is_ok_and(|text: String| text.contains(word));
    MAY_PRETEND
        || std::path::Path::new("/proc/driver/nvidia-fs").exists()
        || is_set("/proc/driver/nvidia/params", "RMForceStaticBar1=1")
}

/// Whether the system has most of a part of a file in memory, and reads it from there.
fn is_cached(file: &File, start: u64, bytes: usize) -> bool {
    use rustix::io::{IoSliceMut, ReadWriteFlags, preadv2};
    let is_there = |sample: u64| {
        let place = start + (bytes as u64 - 1) / (SAMPLES - 1) * sample;
        let mut byte = [0];
        preadv2(file, &mut [IoSliceMut::new(&mut byte)], place, ReadWriteFlags::NOWAIT).is_ok()
    };
    (0..SAMPLES).filter(|sample| is_there(*sample)).count() as u64 > SAMPLES / 2
}

/// `CUfileError_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Status {
    code: c_int,
    cuda: c_int,
}

/// `CUfileDescr_t` of a file that the system numbered.
#[repr(C)]
#[derive(Debug)]
struct Descriptor {
    kind: c_int,
    file: FileNumber,
    operations: *const c_void,
}

#[repr(C)]
union FileNumber {
    number: c_int,
    _pointer: *mut c_void,
}

impl std::fmt::Debug for FileNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileNumber(..)")
    }
}

/// `CU_FILE_HANDLE_TYPE_OPAQUE_FD`.
const BY_NUMBER: c_int = 1;
/// `CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE`.
const COMPATIBLE: c_int = 1;
/// `CU_FILE_DRIVER_ALREADY_OPEN`.
const ALREADY_OPEN: c_int = 5026;
/// `CUFILE_PARAM_LOG_DIR`.
const LOG_FOLDER: c_int = 2;

#[derive(Debug, Clone, Copy)]
struct Api {
    register: unsafe extern "C" fn(*mut *mut c_void, *mut Descriptor) -> Status,
    deregister: unsafe extern "C" fn(*mut c_void),
    read: unsafe extern "C" fn(*mut c_void, *mut c_void, usize, c_long, c_long) -> isize,
}

impl Api {
    /// Opens cuFile's driver, which stays open for the process's life.
    fn load() -> Result<Api, String> {
        if !may_be_direct() {
            return Err("the driver was not set up for it".to_owned());
        }
        let library = Dependency::Cufile.library()?;
        fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
            // SAFETY: what these go to has the types of cuFile's header; the library stays open.
            unsafe { Dependency::Cufile.function(library, name) }
        }
        type SetBool = unsafe extern "C" fn(c_int, bool) -> Status;
        type GetBool = unsafe extern "C" fn(c_int, *mut bool) -> Status;
        type SetText = unsafe extern "C" fn(c_int, *const c_char) -> Status;
        let set_bool: SetBool = function(&library, "cuFileSetParameterBool")?;
        let get_bool: GetBool = function(&library, "cuFileGetParameterBool")?;
        let set_text: SetText = function(&library, "cuFileSetParameterString")?;
        let open: unsafe extern "C" fn() -> Status = function(&library, "cuFileDriverOpen")?;
        let api = Api {
            register: function(&library, "cuFileHandleRegister")?,
            deregister: function(&library, "cuFileHandleDeregister")?,
            read: function(&library, "cuFileRead")?,
        };
        // The functions are used as long as the process lives.
        std::mem::forget(library);
        let folder = std::env::temp_dir().into_os_string().into_encoded_bytes();
        let folder = CString::new(folder).unwrap_or_default();
        // SAFETY: functions of the types above; the text is live. The log, which would be written where
        // the user is, goes to a folder for such things.
        unsafe {
            let _ = set_text(LOG_FOLDER, folder.as_ptr());
            // What was opened before keeps its settings, and says so.
            let _ = set_bool(COMPATIBLE, MAY_PRETEND);
            let opened = open();
            if opened.code != ALREADY_OPEN {
                check("opening", opened)?;
            }
            let mut pretends = true;
            check("its settings", get_bool(COMPATIBLE, &mut pretends))?;
            if pretends && !MAY_PRETEND {
                return Err("cuFile would go through the host's memory".to_owned());
            }
        }
        Ok(api)
    }

    fn read(
        &self,
        context: &Context,
        part: FileBytes<'_>,
        to: u64,
        bytes: usize,
    ) -> Result<usize, Error> {
        context.bind()?;
        let Ok(file) = Registered::new(self, part.file) else { return Ok(0) };
        let mut done = 0;
        while done < bytes {
            context.interrupt.heed()?;
            let piece = PIECE.min(bytes - done);
            // SAFETY: a registered file; the range lies in memory of the GPU that is the caller's.
            let came = unsafe {
                let (at, place) = (part.start + done as u64, done as c_long);
                (self.read)(file.handle, to as *mut c_void, piece, at as c_long, place)
            };
            let Some(came) = usize::try_from(came).ok().filter(|came| *came > 0) else { break };
            (part.came)(came);
            done += came;
        }
        Ok(done)
    }
}

/// A file as cuFile knows it.
struct Registered<'a> {
    api: &'a Api,
    handle: *mut c_void,
    /// Opened once more, past the system's cache.
    _file: File,
}

impl Registered<'_> {
    /// An error where there is no direct way to it.
    fn new<'a>(api: &'a Api, file: &File) -> Result<Registered<'a>, String> {
        use rustix::fs::{Mode, OFlags, open};
        use std::os::fd::AsRawFd;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let flags = OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC;
        let file = open(path, flags, Mode::empty()).map_err(|error| error.to_string())?;
        let file = File::from(file);
        let number = FileNumber { number: file.as_raw_fd() };
        let mut about = Descriptor { kind: BY_NUMBER, file: number, operations: std::ptr::null() };
        let mut handle = std::ptr::null_mut();
        // SAFETY: both pointers are to live values; the file stays open as long as the handle.
        let status = unsafe { (api.register)(&mut handle, &mut about) };
        check("a file", status)?;
        Ok(Registered { api, handle, _file: file })
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        // SAFETY: a handle of `new`, given back once, when nothing is read through it any more.
        unsafe { (self.api.deregister)(self.handle) };
    }
}

fn check(what: &str, status: Status) -> Result<(), String> {
    match (status.code, status.cuda) {
        (0, _) => Ok(()),
        (code, cuda) => Err(format!("cuFile failed at {what}: status {code}, {cuda} of CUDA's")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::device::Content;
    use crate::device::cuda::trials::{Devices, downloaded, pattern};
    use crate::dtype::DType;
    use crate::memory::Provenance;

    /// A file in the build's own folder, which goes with the value.
    struct Written(PathBuf);

    impl Written {
        fn new(name: &str, bytes: &[u8]) -> Written {
            let manifest = std::env::var_os("CARGO_MANIFEST_DIR");
            let folder =
                PathBuf::from(manifest.unwrap_or("crates/engine".into())).join("../../target");
            std::fs::create_dir_all(&folder).unwrap();
            let path = folder.join(format!("{name}-{}", std::process::id()));
            std::fs::write(&path, bytes).unwrap();
            Written(path)
        }

        fn open(&self) -> File {
            File::open(&self.0).unwrap()
        }
    }

    impl Drop for Written {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    /// Whole pieces and parts of them, from places that no disk has sectors at, up to the end and past it.
    #[test]
    fn cufile_reads_what_the_system_reads() {
        let Some(Devices([_, gpu])) = Devices::find() else { return };
        if Dependency::Cufile.open().is_err() {
            return;
        }
        let api = Api::load().unwrap();
        let all = pattern(0, PIECE + LEAST + 12_345);
        let written = Written::new("read", &all);
        let context = &gpu.backend().cuda().unwrap().context;
        // Not every file system is one of cuFile's; the pretended one's is.
        let has_way = Registered::new(&api, &written.open()).is_ok();
        assert!(has_way || !context.name.starts_with("Shim"));
        for (start, bytes) in [
            (0, PIECE),
            (0, PIECE + 1),
            (1, LEAST - 1),
            (4097, PIECE - 1),
            (12_345, PIECE + LEAST),
            (12_346, PIECE + LEAST),
            (all.len(), LEAST),
        ] {
            let storage = gpu.allocate(DType::U8, bytes, Provenance::VARIABLE).unwrap();
            let told = AtomicUsize::new(0);
            let came = |count| {
                told.fetch_add(count, Ordering::Relaxed);
            };
            let part = FileBytes { file: &written.open(), start: start as u64, came: &came };
            let done = api.read(context, part, storage.address(), bytes).unwrap();
            let there = if has_way { (all.len() - start).min(bytes) } else { 0 };
            assert_eq!([done, told.into_inner()], [there; 2], "{bytes} from {start} on");
            assert!(downloaded(&storage)[..done] == all[start..start + done], "{bytes}, {start}");
        }
        context.interrupt.raise();
        let storage = gpu.allocate(DType::U8, LEAST, Provenance::VARIABLE).unwrap();
        let part = FileBytes { file: &written.open(), start: 0, came: &|_| () };
        let read = api.read(context, part, storage.address(), LEAST);
        context.interrupt.clear();
        assert_eq!(read, if has_way { Err(Error::Interrupted) } else { Ok(0) });
    }

    /// Whatever way the bytes go, and whether the system still holds them, they are those of the file.
    #[test]
    fn files_come_whole_by_any_way() {
        let Some(Devices([_, gpu])) = Devices::find() else { return };
        let all = pattern(0, THRESHOLDS[1] + 3);
        let written = Written::new("whole", &all);
        for bytes in THRESHOLDS.iter().flat_map(|at| [at - 1, *at, at + 1]) {
            for is_dropped in [false, true] {
                let file = written.open();
                if is_dropped {
                    file.sync_all().unwrap();
                    let advice = rustix::fs::Advice::DontNeed;
                    rustix::fs::fadvise(&file, 0, None, advice).unwrap();
                }
                let read = |at: usize, buffer: &mut [u8]| {
                    buffer.copy_from_slice(&all[2 + at..][..buffer.len()]);
                    Ok(())
                };
                let storage = gpu.allocate(DType::U8, bytes, Provenance::VARIABLE).unwrap();
                let part = FileBytes { file: &file, start: 2, came: &|_| () };
                let content = Content { read: &read, file: Some(part) };
                gpu.backend().fill(&storage, content).unwrap();
                assert!(downloaded(&storage) == all[2..2 + bytes], "{bytes} {is_dropped}");
            }
        }
    }
}
