//! Messages over standard input and output. The transport of `lsp-server` takes any length that a client names.

use lsp_server::{Connection, Message};
use std::io::{self, BufRead, BufReader, Read as _};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

/// The maximum length of a message in bytes. A client sends a whole document of at most a megabyte, with escapes.
const LONGEST: u64 = 32 << 20;
/// The maximum length of a line of a header.
const LONGEST_LINE: u64 = 4096;

/// Makes a connection over standard input and output. It ends when the client closes the input, and at the first message
/// that cannot be read.
///
/// The thread ends when the connection is dropped and everything is written. Its error has the kind `InvalidData` if the
/// connection ended at such a message.
pub fn stdio() -> (Connection, JoinHandle<io::Result<()>>) {
    let (ours, theirs) = Connection::memory();
    let broken = Arc::new(OnceLock::new());
    let reason = Arc::clone(&broken);
    let messages = theirs.sender;
    // Not joined: it waits for the client.
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            match read(&mut input) {
                Ok(Some(message)) => {
                    if messages.send(message).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    let _ = broken.set(error);
                    return;
                }
            }
        }
    });
    let receiver = theirs.receiver;
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

/// Reads the next message. Returns `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let mut one = input.by_ref().take(LONGEST_LINE);
        if one.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            break;
        }
        length = content_length(line).or(length);
    }
    let length = length
        .filter(|length| *length <= LONGEST)
        .ok_or_else(|| invalid("its `Content-Length` is missing or over 32 MiB"))?;
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|read| read < length) {
        return Ok(None);
    }
    let message = serde_json::from_slice(&bytes);
    message
        .map(Some)
        .map_err(|error| invalid(&error.to_string()))
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("a message cannot be read: {reason}"),
    )
}

fn content_length(line: &[u8]) -> Option<u64> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_it = name.trim().eq_ignore_ascii_case("Content-Length");
    value.trim().parse().ok().filter(|_| is_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(mut bytes: &[u8]) -> (usize, Option<String>) {
        let mut count = 0;
        loop {
            match read(&mut bytes) {
                Ok(Some(_)) => count += 1,
                Ok(None) => return (count, None),
                Err(error) => return (count, Some(error.to_string())),
            }
        }
    }

    const GOOD: &[u8] =
        b"Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":1} ";

    #[test]
    fn a_message_that_cannot_be_read_ends_the_input() {
        assert_eq!(all(&[GOOD, GOOD].concat()), (2, None));
        for bad in [
            "X: 1\r\n\r\n{}",
            "Content-Length: -5\r\n\r\n{}",
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{]",
        ] {
            let (count, reason) = all(&[GOOD, bad.as_bytes(), GOOD].concat());
            assert!(count == 1 && reason.is_some(), "{bad}");
        }
    }

    #[test]
    fn a_length_without_its_bytes_takes_no_memory() {
        assert!(
            all(b"Content-Length: 18446744073709551615\r\n\r\n{")
                .1
                .is_some()
        );
        assert_eq!(all(b"Content-Length: 30000000\r\n\r\n{"), (0, None));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes: Vec<u8>) {
            all(&[&bytes[..], b"\r\n\r\n"].concat());
        }
    }
}
