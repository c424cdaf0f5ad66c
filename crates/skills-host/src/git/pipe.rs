//! A stream of a call that another process can hold open after the end of the call.

use std::io::{self, Read};
use std::sync::atomic::AtomicBool;
#[cfg(unix)]
use std::sync::atomic::Ordering;
#[cfg(unix)]
use std::time::Duration;

/// The interval in which a stream without data is asked whether it was left.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(50);

/// A stream of a call that is waited for until the stream is left. Outside of Unix it is waited for without end.
pub(crate) struct Pipe<'h, S> {
    stream: S,
    /// True from the moment in which the stream was left.
    #[cfg_attr(not(unix), expect(dead_code, reason = "no stream can be polled"))]
    is_left: &'h AtomicBool,
    /// The bytes that are read of a stream that was left: what the call itself wrote is in the pipe, and a process
    /// that goes on printing has no end.
    #[cfg_attr(not(unix), expect(dead_code, reason = "no stream can be polled"))]
    rest: usize,
}

impl<'h, S> Pipe<'h, S> {
    /// The largest pipe that a user can make.
    const MOST_IN_A_PIPE: usize = 1 << 20;

    pub(crate) fn new(stream: S, is_left: &'h AtomicBool) -> Self {
        let rest = Self::MOST_IN_A_PIPE;
        Self {
            stream,
            is_left,
            rest,
        }
    }
}

#[cfg(unix)]
impl<S: std::os::fd::AsFd> Pipe<'_, S> {
    /// Waits until the stream can be read or written. Returns false if the stream was left before.
    fn is_ready(&self, event: rustix::event::PollFlags) -> io::Result<bool> {
        use rustix::event::{PollFd, Timespec, poll};
        loop {
            // Asked before the stream is polled: what was in the pipe when the stream was left is read.
            let is_left = self.is_left.load(Ordering::Relaxed);
            let patience = if is_left { Duration::ZERO } else { LOOK };
            let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(&self.stream, event)], Some(&patience)) {
                Ok(0) if is_left => return Ok(false),
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(!is_left || self.rest > 0),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(unix)]
impl<S: Read + std::os::fd::AsFd> Read for Pipe<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_ready(rustix::event::PollFlags::IN)? {
            return Ok(0);
        }
        let read = self.stream.read(buffer)?;
        if self.is_left.load(Ordering::Relaxed) {
            self.rest = self.rest.saturating_sub(read);
        }
        Ok(read)
    }
}

#[cfg(unix)]
impl<S: io::Write + std::os::fd::AsFd> io::Write for Pipe<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_ready(rustix::event::PollFlags::OUT)? {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        // No more than a pipe takes at once when it is ready: a longer write would wait for its reader.
        let at_once = bytes.get(..rustix::pipe::PIPE_BUF).unwrap_or(bytes);
        self.stream.write(at_once)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(not(unix))]
impl<S: Read> Read for Pipe<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

#[cfg(not(unix))]
impl<S: io::Write> io::Write for Pipe<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
