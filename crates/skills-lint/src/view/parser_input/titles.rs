//! Finds the titles of links that take pulldown-cmark too long.
//!
//! pulldown-cmark 0.13 reads a title again from its beginning for each of its lines. So an unclosed title
//! in a long paragraph costs the square of its lines: minutes for a megabyte.

/// The maximum number of line ends in a title that is parsed.
const LONGEST: usize = 8;

/// The maximum nesting of parentheses in an address that pulldown-cmark reads.
const DEEPEST: usize = 32;

/// Returns the `]` of every inline link whose title spans more than [`LONGEST`] line ends, closed or not.
pub(super) fn of_long_titles(text: &[u8]) -> Vec<usize> {
    let titled: Vec<(usize, usize)> = memchr::memchr_iter(b']', text)
        .filter(|link| text.get(link + 1) == Some(&b'('))
        .filter_map(|link| Some((link, title(text, link + "](".len())?)))
        .collect();
    if titled.is_empty() {
        return Vec::new();
    }
    let long = long_quotes(text);
    let is_long = |title| long.binary_search(&title).is_ok();
    let long = titled.into_iter().filter(|(_, title)| is_long(*title));
    long.map(|(link, _)| link).collect()
}

/// Returns every quotation mark or parenthesis that could open a title, and is not closed within [`LONGEST`]
/// line ends. Sorted.
fn long_quotes(text: &[u8]) -> Vec<usize> {
    let (mut double, mut single, mut round) = (None, None, None);
    let mut long = Vec::new();
    let (mut line, mut before, mut escaped) = (0, b'\n', false);
    for (at, byte) in text.iter().copied().enumerate() {
        let quote: Option<&mut Option<(usize, usize)>> = match byte {
            b'"' => Some(&mut double),
            b'\'' => Some(&mut single),
            b'(' | b')' => Some(&mut round),
            _ => None,
        };
        if let Some(quote) = quote.filter(|_| !escaped) {
            long.extend(quote.take().filter(|(_, begun)| line - begun > LONGEST));
            if byte != b')' && (before.is_ascii_whitespace() || before == b'>') {
                *quote = Some((at, line));
            }
        }
        line += usize::from(byte == b'\n');
        escaped = byte == b'\\' && !escaped;
        before = byte;
    }
    let unclosed = [double, single, round].into_iter().flatten();
    long.extend(unclosed.filter(|(_, begun)| line - begun > LONGEST));
    let mut long: Vec<usize> = long.into_iter().map(|(at, _)| at).collect();
    long.sort_unstable();
    long
}

/// Returns the start of a link's title. `from` is the start of the address, or of white space before the
/// address.
fn title(text: &[u8], from: usize) -> Option<usize> {
    let address = skip_between(text, from);
    let end = match text.get(address)? {
        b'<' => end_in_brackets(text, address + 1)?,
        _ => end_of_bare(text, address)?,
    };
    let title = skip_between(text, end);
    matches!(text.get(title), Some(b'"' | b'\'' | b'(')).then_some(title)
}

/// Skips white space, and the markers of quotations after a line end.
fn skip_between(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let is_between = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'>';
    from + rest.iter().take_while(is_between).count()
}

fn end_in_brackets(text: &[u8], from: usize) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate().skip(from) {
        match byte {
            b'\n' => return None,
            b'<' if !escaped => return None,
            b'>' if !escaped => return Some(at + 1),
            _ => escaped = *byte == b'\\' && !escaped,
        }
    }
    None
}

fn end_of_bare(text: &[u8], from: usize) -> Option<usize> {
    let (mut open, mut escaped) = (0, false);
    for (at, byte) in text.iter().enumerate().skip(from) {
        match byte {
            0..=b' ' => return Some(at),
            b'(' if !escaped && open > DEEPEST => return None,
            b'(' if !escaped => open += 1,
            b')' if !escaped && open == 0 => return None,
            b')' if !escaped => open -= 1,
            _ => {}
        }
        escaped = *byte == b'\\' && !escaped;
    }
    None
}
