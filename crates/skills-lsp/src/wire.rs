//! Messages over standard input and output. The transport of `lsp-server` ends at the first message that is not JSON,
//! and takes any length that a client names.

use lsp_server::{Connection, Message, Notification};
use std::io::{self, BufRead, BufReader, Read as _};
use std::thread::{self, JoinHandle};

/// The maximum length of a message in bytes. A client sends a whole document of at most a megabyte, with escapes.
const LONGEST: u64 = 32 << 20;
/// The maximum length of a line of a header.
const LONGEST_LINE: u64 = 4096;

/// Makes a connection over standard input and output. It ends when the client closes the input.
///
/// The thread ends when the connection is dropped and everything is written.
pub fn stdio() -> (Connection, JoinHandle<io::Result<()>>) {
    let (ours, theirs) = Connection::memory();
    let answers = theirs.sender.clone();
    // Not joined: it waits for the client.
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(Some(read)) = read(&mut input) {
            let is_sent = match read {
                Ok(message) => answers.send(message).is_ok(),
                Err(reason) => answers.send(unread(&reason)).is_ok(),
            };
            if !is_sent {
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
        Ok(())
    });
    (ours, writer)
}

/// The method by which the reader reports a message that it could not read. Its id is unknown, so it has no answer.
pub(crate) const UNREAD: &str = "$/unread";

fn unread(reason: &str) -> Message {
    Notification::new(UNREAD.to_owned(), reason).into()
}

/// Reads the next message, or the reason why it is not a message. Returns `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if let Some(named) = content_length(line) {
            length = Some(named);
        } else if line.is_empty() {
            // An empty line between messages has no length before it.
            if let Some(length) = length {
                return body(input, length);
            }
        }
    }
}

fn content_length(line: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(line).ok()?;
    let (name, value) = line.split_once(':')?;
    let is_it = name.trim().eq_ignore_ascii_case("Content-Length");
    value.trim().parse().ok().filter(|_| is_it)
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Option<Result<Message, String>>> {
    let mut body = input.by_ref().take(length);
    if length > LONGEST {
        io::copy(&mut body, &mut io::sink())?;
        return Ok(Some(Err(format!("it has more than {LONGEST} bytes"))));
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|read| read < length) {
        return Ok(None);
    }
    let message = serde_json::from_slice(&bytes);
    Ok(Some(message.map_err(|error| error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(mut input: &[u8]) -> Vec<Result<Message, String>> {
        let mut all = Vec::new();
        while let Some(read) = read(&mut input).expect("a value") {
            all.push(read);
        }
        all
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
        assert_eq!(all, [false, true, false, true]);
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
