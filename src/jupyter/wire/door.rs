//! The doors of a kernel: whoever connects is let in to a socket of their own.
//!
//! ZeroMQ's socket stands behind a relay that reads the header of each frame on its way in. `zeromq`
//! sets aside memory for whatever length a header announces, before anything is known of the peer;
//! ten bytes from a stranger would end the kernel. A socket for each guest also means that one who
//! does not read, or does not end what they began, holds up nobody else.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use zeromq::Listener;

use super::{Loss, complain};

/// The longest message that is let in.
const LIMIT: u64 = 256 << 20;

/// What a frame takes besides its bytes, about.
const FRAME: u64 = 64;

/// What a connection begins with, before the first frame.
const GREETING: u64 = 64;

/// What is read at a time.
const CHUNK: usize = 64 << 10;

/// Where the connection file says that guests arrive.
#[derive(Debug)]
pub enum Door {
    Tcp(std::net::TcpListener),
    #[cfg(unix)]
    Local(std::os::unix::net::UnixListener),
}

/// The same, open.
#[derive(Debug)]
pub struct OpenDoor {
    door: Inner,
    channel: &'static str,
}

#[derive(Debug)]
enum Inner {
    Tcp(TcpListener),
    #[cfg(unix)]
    Local(tokio::net::UnixListener),
}

/// Somebody who has connected.
#[derive(Debug)]
pub struct Guest {
    /// Where they wait; nobody else can come that way.
    pub listener: Listener,
    /// Ends when either side has closed the connection.
    pub gone: JoinHandle<()>,
}

impl Door {
    /// To be called on the thread that waits for guests.
    ///
    /// # Errors
    /// A message: the system has none of what it takes.
    pub fn open(self, channel: &'static str) -> Result<OpenDoor, String> {
        let open = || {
            Ok(match self {
                Door::Tcp(listener) => {
                    listener.set_nonblocking(true)?;
                    Inner::Tcp(TcpListener::from_std(listener)?)
                }
                #[cfg(unix)]
                Door::Local(listener) => {
                    listener.set_nonblocking(true)?;
                    Inner::Local(tokio::net::UnixListener::from_std(listener)?)
                }
            })
        };
        let door =
            open().map_err(|error: io::Error| format!("can't listen for {channel}: {error}"))?;
        Ok(OpenDoor { door, channel })
    }
}

impl OpenDoor {
    /// Waits for the next guest.
    ///
    /// # Errors
    /// This one can't be let in.
    pub async fn guest(&self) -> io::Result<Guest> {
        match &self.door {
            Inner::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                self.admit(stream, rendezvous()?)
            }
            #[cfg(unix)]
            Inner::Local(listener) => self.admit(listener.accept().await?.0, rendezvous()?),
        }
    }

    /// Lets in who has connected: what they send goes on to the other end of a rendezvous.
    fn admit<O, I>(&self, outside: O, (listener, inside): (Listener, I)) -> io::Result<Guest>
    where
        O: AsyncRead + AsyncWrite + Send + 'static,
        I: AsyncRead + AsyncWrite + Send + 'static,
    {
        let channel = self.channel;
        let gone = tokio::spawn(async move {
            let (mut from_guest, mut to_guest) = tokio::io::split(outside);
            let (mut from_us, mut to_us) = tokio::io::split(inside);
            let mut gauge = Gauge::default();
            let measure = |bytes: &[u8]| {
                let measured = gauge.measure(bytes);
                measured.inspect_err(|problem| complain(Loss::Connection, channel, problem)).is_ok()
            };
            tokio::select! {
                () = pump(&mut from_guest, &mut to_us, measure) => {}
                () = pump(&mut from_us, &mut to_guest, |_| true) => {}
            }
        });
        Ok(Guest { listener, gone })
    }
}

/// Passes bytes on until one side closes, or one of them is not to pass.
async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    mut may_pass: impl FnMut(&[u8]) -> bool,
) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        if !may_pass(&chunk[..count]) || to.write_all(&chunk[..count]).await.is_err() {
            return;
        }
    }
}

#[cfg(not(unix))]
use by_port as rendezvous;
#[cfg(unix)]
use in_folder as rendezvous;

/// A listener at which one connection waits, and the other end of that. It can't be found: its name
/// lay in a folder of ours and is gone.
#[cfg(unix)]
fn in_folder() -> io::Result<(Listener, tokio::net::UnixStream)> {
    use std::fs;
    use std::os::unix::fs::DirBuilderExt;
    use std::os::unix::net::{UnixListener, UnixStream};

    let folder = std::env::temp_dir().join(format!("genesis-{}", super::message::session()));
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let name = folder.join("s");
    let connect = || {
        let listener = UnixListener::bind(&name)?;
        let stream = UnixStream::connect(&name)?;
        stream.set_nonblocking(true)?;
        Ok((listener.into(), tokio::net::UnixStream::from_std(stream)?))
    };
    let connected = connect();
    // Neither is needed to go on, and what could not be made need not go.
    let _ = fs::remove_file(&name);
    let _ = fs::remove_dir(&folder);
    connected
}

/// Without sockets in files, a port of this machine stands open until the guest is seated. Somebody
/// else there who finds it first keeps the guest out, and can sign nothing.
#[cfg(any(not(unix), test))]
fn by_port() -> io::Result<(Listener, tokio::net::TcpStream)> {
    let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))?;
    let stream = std::net::TcpStream::connect(listener.local_addr()?)?;
    stream.set_nodelay(true)?;
    stream.set_nonblocking(true)?;
    Ok((listener.into(), tokio::net::TcpStream::from_std(stream)?))
}

/// Follows the frames that a guest sends, whatever pieces they arrive in.
#[derive(Debug)]
struct Gauge {
    /// Bytes before the next header.
    skip: u64,
    next: Next,
    has_more: bool,
    /// What the message takes so far.
    message: u64,
}

#[derive(Debug)]
enum Next {
    Flags,
    /// So many bytes of the length are still to come.
    Length {
        digits: u32,
        length: u64,
    },
}

impl Default for Gauge {
    fn default() -> Gauge {
        Gauge { skip: GREETING, next: Next::Flags, has_more: false, message: 0 }
    }
}

impl Gauge {
    fn measure(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        loop {
            let skipped = bytes.len().min(usize::try_from(self.skip).unwrap_or(usize::MAX));
            self.skip -= skipped as u64;
            let Some((&byte, rest)) = bytes[skipped..].split_first() else { return Ok(()) };
            bytes = rest;
            match self.next {
                Next::Flags => {
                    self.has_more = byte & 1 != 0;
                    let digits = if byte & 2 != 0 { 8 } else { 1 };
                    self.next = Next::Length { digits, length: 0 };
                }
                Next::Length { digits, length } => {
                    let length = length << 8 | u64::from(byte);
                    if digits > 1 {
                        self.next = Next::Length { digits: digits - 1, length };
                        continue;
                    }
                    let message = self.message.saturating_add(length).saturating_add(FRAME);
                    if message > LIMIT {
                        let limit = LIMIT >> 20;
                        return Err(format!("{message} bytes were announced, over {limit} MiB"));
                    }
                    self.message = if self.has_more { message } else { 0 };
                    self.skip = length;
                    self.next = Next::Flags;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether bytes pass behind a greeting, in pieces of any size.
    fn passes(frames: &[u8]) -> bool {
        let bytes = [&[0; GREETING as usize], frames].concat();
        let by = |size: usize| {
            let mut gauge = Gauge::default();
            bytes.chunks(size).all(|piece| gauge.measure(piece).is_ok())
        };
        let results = [1, 2, 7, 64, 65, 1 << 20].map(by);
        assert!(results.iter().all(|it| *it == results[0]), "{results:?}");
        results[0]
    }

    fn long(flags: u8, length: u64) -> Vec<u8> {
        [&[flags | 2], &length.to_be_bytes()[..]].concat()
    }

    #[test]
    fn lengths_are_followed_from_frame_to_frame() {
        assert!(passes(b"\0\x02ab\x01\x01c\0\x03def"));
        assert!(passes(&[long(0, 300), vec![7; 300], long(4, 1), vec![7]].concat()));
        // What looks like a header inside of a frame is none.
        let inside = long(0, u64::MAX);
        assert!(passes(&[&[0, inside.len() as u8], &inside[..], b"\0\0"].concat()));
    }

    #[test]
    fn what_is_too_long_does_not_pass() {
        assert!(passes(&long(0, LIMIT - FRAME)));
        for length in [LIMIT, 1 << 40, 1 << 62, u64::MAX - FRAME, u64::MAX] {
            assert!(!passes(&long(0, length)), "{length}");
            assert!(!passes(&long(4, length)), "{length} as a command");
        }
    }

    /// A guest at an open door, who is let in by this rendezvous to an echo.
    async fn visit<I>(meet: fn() -> io::Result<(Listener, I)>)
    where
        I: AsyncRead + AsyncWrite + Send + 'static,
    {
        use crate::jupyter::wire::heartbeat::echo;
        use zeromq::{ReqSocket, Socket, SocketRecv, SocketSend};

        let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).unwrap();
        let place = listener.local_addr().unwrap();
        let door = Door::Tcp(listener).open("heartbeat").unwrap();
        let let_in = async || {
            let Inner::Tcp(listener) = &door.door else { panic!("{door:?}") };
            let (outside, _) = listener.accept().await.unwrap();
            door.admit(outside, meet().unwrap()).unwrap()
        };
        let mut guest = ReqSocket::new();
        let mut attended = None;
        let welcome = async { attended = Some(tokio::spawn(echo(let_in().await))) };
        let address = format!("tcp://{place}");
        tokio::join!(guest.connect(&address), welcome).0.unwrap();
        for beat in ["one", "two"] {
            guest.send(beat.into()).await.unwrap();
            assert_eq!(guest.recv().await.unwrap().get(0).unwrap(), beat.as_bytes());
        }
        drop(guest);
        attended.unwrap().await.unwrap().unwrap();
        // A stranger who announces too much is sent away.
        let mut stranger = tokio::net::TcpStream::connect(place).await.unwrap();
        let attended = tokio::spawn(echo(let_in().await));
        stranger.write_all(&[0; GREETING as usize]).await.unwrap();
        stranger.write_all(&long(0, u64::MAX)).await.unwrap();
        let mut answer = Vec::new();
        // The end may come as a reset.
        let _ = stranger.read_to_end(&mut answer).await;
        assert!(attended.await.unwrap().is_err());
    }

    #[test]
    fn guests_are_let_in_through_ports_where_there_are_no_files() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            visit(by_port).await;
            visit(rendezvous).await;
        });
    }

    #[test]
    fn a_message_is_measured_whole() {
        let endless = |flags: u8| {
            let mut gauge = Gauge { skip: 0, ..Gauge::default() };
            (0..=LIMIT / FRAME).all(|_| gauge.measure(&[flags, 0]).is_ok())
        };
        assert!(endless(0));
        assert!(!endless(1));
    }
}
