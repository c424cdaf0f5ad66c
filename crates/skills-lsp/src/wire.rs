//! Messages over standard input and output. The transport of `lsp-server` ends at the first message that is not JSON,
//! and takes any length that a client names.

use lsp_server::{Connection, Message, Notification};
use std::io::{self, BufRead, BufReader, Read as _};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

/// The maximum length of a message in bytes. A client sends a whole document of at most a megabyte, with escapes.
const LONGEST: u64 = 32 << 20;
/// The maximum length of a longer message, which is skipped. No client sends more: its header is broken.
const LONGEST_SKIPPED: u64 = 1 << 30;
/// The maximum length of a line of a header.
const LONGEST_LINE: u64 = 4096;

/// Makes a connection over standard input and output. It ends when the client closes the input, and at a header without
/// the length of its message, since the next message could begin anywhere.
///
/// The thread ends when the connection is dropped and everything is written. Its error has the kind `InvalidData` if the
/// connection ended at such a header.
pub fn stdio() -> (Connection, JoinHandle<io::Result<()>>) {
    let (ours, theirs) = Connection::memory();
    let answers = theirs.sender.clone();
    let broken = Arc::new(OnceLock::new());
    let reason = Arc::clone(&broken);
    // Not joined: it waits for the client.
    thread::spawn(move || {
        let mut input = Input::new(BufReader::new(io::stdin()));
        loop {
            let message = match input.read() {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(reason))) => unread(&reason),
                Ok(None) => return,
                Err(error) => {
                    let _ = answers.send(unread(&error.to_string()));
                    let _ = broken.set(error);
                    return;
                }
            };
            if answers.send(message).is_err() {
                return;
            }
        }
    });
    let receiver = theirs.receiver;
    drop(theirs.sender);
    let writer = thread::spawn(move || {
        let mut output = io::stdout().lock();
        for message in receiver {
            message.write(&mut output)?;
        }
        match reason.get() {
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
            None => Ok(()),
        }
    });
    (ours, writer)
}

/// The method by which the reader reports a message that it could not read. Its id is unknown, so it has no answer.
pub(crate) const UNREAD: &str = "$/unread";

fn unread(reason: &str) -> Message {
    Notification::new(UNREAD.to_owned(), reason).into()
}

struct Input<R> {
    bytes: R,
    /// The length of a message that is too long, which is told before its bytes have come.
    skipped: u64,
}

impl<R: BufRead> Input<R> {
    fn new(bytes: R) -> Self {
        Self { bytes, skipped: 0 }
    }

    /// Reads the next message, or the reason why it is not a message. Returns `None` at the end of the input.
    fn read(&mut self) -> io::Result<Option<Result<Message, String>>> {
        io::copy(&mut self.bytes.by_ref().take(self.skipped), &mut io::sink())?;
        self.skipped = 0;
        let mut length = None;
        let mut header = String::new();
        loop {
            let mut line = Vec::new();
            let mut one = self.bytes.by_ref().take(LONGEST_LINE);
            one.read_until(b'\n', &mut line)?;
            if line.is_empty() {
                return Ok(None);
            }
            let line = line.trim_ascii();
            if let Some(named) = content_length(line) {
                length = Some(named);
            } else if !line.is_empty() {
                header = String::from_utf8_lossy(line).into_owned();
            } else if let Some(length) = length {
                return self.body(length);
            } else if header.contains(':') {
                // A message of unknown length follows.
                return Err(broken(&header));
            } else if !header.is_empty() {
                return Ok(Some(Err(format!(
                    "`{}` is no header",
                    header.escape_debug()
                ))));
            }
        }
    }

    fn body(&mut self, length: u64) -> io::Result<Option<Result<Message, String>>> {
        if length > LONGEST_SKIPPED {
            return Err(broken(&format!("Content-Length: {length}")));
        }
        if length > LONGEST {
            self.skipped = length;
            return Ok(Some(Err(format!("it has more than {LONGEST} bytes"))));
        }
        let mut bytes = Vec::new();
        self.bytes.by_ref().take(length).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|read| read < length) {
            return Ok(None);
        }
        let message = serde_json::from_slice(&bytes);
        Ok(Some(message.map_err(|error| error.to_string())))
    }
}

fn broken(header: &str) -> io::Error {
    let reason = format!(
        "`{}` names no length of a message, so no later message can be read",
        header.escape_debug()
    );
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

fn content_length(line: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(line).ok()?;
    let (name, value) = line.split_once(':')?;
    let is_it = name.trim().eq_ignore_ascii_case("Content-Length");
    value.trim().parse().ok().filter(|_| is_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(bytes: &[u8]) -> Vec<Result<Message, String>> {
        let mut input = Input::new(bytes);
        let mut all = Vec::new();
        loop {
            match input.read() {
                Ok(Some(read)) => all.push(read),
                Ok(None) => return all,
                Err(error) => {
                    all.push(Err(error.to_string()));
                    return all;
                }
            }
        }
    }

    const GOOD: &[u8] =
        b"Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":1} ";

    #[test]
    fn a_broken_message_ends_nothing() {
        let mut input = b"nonsense\r\n\r\nContent-Length: 2\r\n\r\n{]".to_vec();
        input.extend_from_slice(GOOD);
        let long = LONGEST + 1;
        input.extend_from_slice(format!("Content-Length: {long}\r\n\r\n").as_bytes());
        input.extend(std::iter::repeat_n(
            b' ',
            usize::try_from(long).expect("a value"),
        ));
        input.extend_from_slice(GOOD);
        let all: Vec<bool> = all(&input).iter().map(Result::is_ok).collect();
        assert_eq!(all, [false, false, true, false, true]);
    }

    #[test]
    fn a_header_without_a_length_ends_the_input() {
        for header in [
            "X: 1",
            "Content-Length: -5",
            "Content-Length: abc",
            "Content-Length: 99999999999",
        ] {
            let mut input = format!("{header}\r\n\r\n{{}}").into_bytes();
            input.extend_from_slice(GOOD);
            let [Err(reason)] = &all(&input)[..] else {
                panic!("{header}");
            };
            assert!(reason.contains(header), "{reason}");
        }
    }

    #[test]
    fn a_length_without_its_bytes_takes_no_memory() {
        assert!(all(b"Content-Length: 18446744073709551615\r\n\r\n{").len() < 2);
        assert!(all(b"Content-Length: 30000000\r\n\r\n{").is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes: Vec<u8>) {
            let mut input = bytes.clone();
            input.extend_from_slice(b"\r\n\r\n");
            let _ = all(&input);
        }
    }
}
