//! Keys and tokens in text: where they are, and the text without them.

use crate::view::search::{Concerns, find_all};
use skills_check::render::without;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A key, a token, or an address that works as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    /// The place that a finding marks.
    pub(crate) span: Span,
    /// The part that is never printed.
    pub(crate) hidden: Span,
    /// The kind of the secret, with its article.
    pub(crate) what: &'static str,
    /// True if the issuer gives this form to keys alone. Otherwise the text only looks like a key.
    pub(crate) is_certain: bool,
}

/// The number of characters of a secret that are printed. They show the kind of the secret, and open nothing.
const SHOWN: usize = 6;

/// Returns a text without its secrets: each keeps its first characters, and ends with `…`.
///
/// ```
/// use skills_lint::render::masked;
///
/// let text = "token: ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi";
/// assert_eq!(masked(text), "token: ghp_R7…");
/// ```
pub fn masked(text: &str) -> Cow<'_, str> {
    let secrets = secrets(text, Concerns::of(text));
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let hidden: Vec<Span> = secrets.iter().map(|secret| secret.hidden).collect();
    let whole = Span::new(0, text.len());
    let bytes = without(text.as_bytes(), whole, &hidden);
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// The number of bytes around a place that are searched for secrets: more than a private key of 4,096 bits has.
const NEAR: usize = 4096;

/// Returns the hidden places of a file that are near a place. A part of a secret can only be recognized with the rest.
pub fn hidden_near(source: &[u8], place: Span) -> Vec<Span> {
    let start = place.start.saturating_sub(NEAR);
    let end = place.end.saturating_add(NEAR).min(source.len());
    let near = source.get(start..end).unwrap_or_default();
    // The same offsets in valid text: a secret is ASCII.
    let ascii = |byte: &u8| char::from(if byte.is_ascii() { *byte } else { b' ' });
    let near: String = near.iter().map(ascii).collect();
    let moved = |span: Span| Span::new(start + span.start, start + span.end);
    let secrets = secrets(&near, Concerns::of(&near));
    secrets.iter().map(|secret| moved(secret.hidden)).collect()
}

/// Finds the secrets of a text, in order. Secrets do not overlap.
pub(crate) fn secrets(text: &str, rules: Concerns) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    for word in words(text) {
        found.extend(shape(word.of(text), word.start).or_else(|| assigned(text, word)));
    }
    if rules.have(RuleId::Secret) {
        found.extend(find_all(text, HEADER).filter_map(|at| private_key(text, at)));
        for (address, parts, what, is_certain) in HOOKS {
            let starts = find_all(text, address);
            let hooks = starts.filter_map(|at| hook(text, at, at + address.len(), parts));
            found.extend(hooks.map(|(span, hidden)| Secret {
                span,
                hidden,
                what,
                is_certain,
            }));
        }
    }
    found.sort_by_key(|secret| (secret.span.start, usize::MAX - secret.span.end));
    let mut end = 0;
    found.retain(|secret| {
        let is_new = secret.span.start >= end;
        if is_new {
            end = secret.span.end.max(secret.hidden.end);
        }
        is_new
    });
    found
}

/// The minimum length of any key, in bytes.
const SHORTEST: usize = 20;

/// Returns the runs of token characters that are at least [`SHORTEST`] long.
fn words(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    // A run that begins here holds the byte at this distance, so that most bytes are never looked at.
    while let Some(next) = bytes.get(start..start + SHORTEST) {
        if let Some(other) = next.iter().rposition(|byte| !joins(*byte)) {
            start += other + 1;
            continue;
        }
        let rest = &bytes[start..];
        let length = rest.iter().position(|byte| !joins(*byte));
        let end = length.map_or(bytes.len(), |length| start + length);
        found.push(Span::new(start, end));
        start = end + 1;
    }
    found
}

fn joins(byte: u8) -> bool {
    /// Half as many instructions as comparisons.
    static JOINS: [bool; 256] = {
        let (mut all, mut byte) = ([false; 256], 0_u8);
        while byte < 128 {
            all[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            byte += 1;
        }
        all
    };
    JOINS[usize::from(byte)]
}

/// What may follow the prefix of a key.
#[derive(Clone, Copy)]
enum Form {
    /// Letters and digits, at most this many.
    Plain(usize),
    /// Letters, digits, `_` and `-`.
    Joined,
    /// The same, in a form that other texts have too: the text only looks like a key.
    Vague,
}

use Form::{Joined, Plain, Vague};

/// The maximum length of a key whose form no other text has.
const LONG: usize = 400;

/// The kinds of keys: the prefix, the minimum number of characters after it, their form, and the name. Of two prefixes
/// that begin alike, the longer comes first.
const SHAPES: [(&str, usize, Form, &str); 24] = [
    ("AKIA", 16, Plain(16), "an AWS access key"),
    ("ASIA", 16, Plain(16), "an AWS access key"),
    ("ghp_", 36, Plain(LONG), "a GitHub token"),
    ("gho_", 36, Plain(LONG), "a GitHub token"),
    ("ghu_", 36, Plain(LONG), "a GitHub token"),
    ("ghs_", 36, Plain(LONG), "a GitHub token"),
    ("ghr_", 36, Plain(LONG), "a GitHub token"),
    ("github_pat_", 60, Joined, "a GitHub token"),
    ("glpat-", 20, Joined, "a GitLab token"),
    ("sk-ant-", 80, Joined, "an Anthropic API key"),
    ("sk-proj-", 48, Joined, "an OpenAI API key"),
    ("sk-", 40, Vague, "an API key"),
    ("sk_live_", 20, Plain(LONG), "a live payment key"),
    ("rk_live_", 20, Plain(LONG), "a live payment key"),
    ("xoxb-", 32, Joined, "a Slack token"),
    ("xoxp-", 32, Joined, "a Slack token"),
    ("xox", 32, Vague, "a chat token"),
    // A web page with Firebase shows such a key to everybody, and some of them open nothing.
    ("AIza", 35, Vague, "a Google API key"),
    ("hf_", 34, Plain(34), "a model hub token"),
    ("hf_", 30, Vague, "a model hub token"),
    ("npm_", 36, Plain(36), "an npm token"),
    ("npm_", 36, Vague, "a registry token"),
    ("pypi-AgE", 60, Joined, "a PyPI token"),
    ("pypi-", 60, Vague, "a registry token"),
];

/// Returns the key whose shape a word has.
fn shape(word: &str, start: usize) -> Option<Secret> {
    SHAPES.iter().find_map(|(prefix, least, form, what)| {
        let body = word.strip_prefix(prefix)?;
        let is_plain = body.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_certain = match form {
            Plain(most) => is_plain && body.len() <= *most,
            Joined => body.len() <= LONG,
            Vague => false,
        };
        let span = Span::new(start, start + word.len());
        (body.len() >= *least && is_random(body)).then(|| Secret::of_word(span, what, is_certain))
    })
}

impl Secret {
    fn of_word(span: Span, what: &'static str, is_certain: bool) -> Self {
        Self {
            span,
            hidden: Span::new(span.start + SHOWN, span.end),
            what,
            is_certain,
        }
    }
}

/// Parts of texts that somebody made up, in lower case.
const MADE_UP: [&str; 13] = [
    "example",
    "xxxx",
    "your",
    "123456",
    "abcdef",
    "placeholder",
    "changeme",
    "replace",
    "redacted",
    "dummy",
    "sample",
    "fake",
    "0000",
];
/// Keys of documentations, in lower case: GitHub's token after the prefix of each kind, reCAPTCHA's keys for tests, and the
/// keys of the emulators of Azure Storage and Cosmos DB.
const PUBLIC: [&str; 5] = [
    "16c7e42f292c6912e7710c838347ae178b4a",
    "6leixactaaaaajczvrqyhh71umiegnq_mxjizkhi",
    "6leixactaaaaagg-vfi1tnrwxmznfuojj4wifjwe",
    "eby8vdm02xnocqflquwjpllmetlcdxj1ouzft50usrz6ifsufq2uverc",
    "c2y6ydjf5",
];

/// Returns whether a text has many different characters, with digits among them. `xxxx`, words and made-up examples
/// do not count.
fn is_random(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let kinds: BTreeSet<u8> = lower.bytes().collect();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_known = MADE_UP
        .iter()
        .chain(&PUBLIC)
        .any(|word| lower.contains(word));
    kinds.len() >= 10 && digits >= 2 && digits < text.len() && !is_known && !is_ascending(&lower)
}

/// Returns whether the letters of a text follow each other in the alphabet, as in `A1B2C3D4`: somebody typed the text.
/// Of the letters of a random key, few do.
fn is_ascending(lower: &str) -> bool {
    let letters: Vec<u8> = lower.bytes().filter(u8::is_ascii_lowercase).collect();
    let pairs = letters.iter().zip(letters.iter().skip(1));
    let ascending = pairs.filter(|(a, b)| (1..=3).contains(&b.wrapping_sub(**a)));
    letters.len() >= 8 && ascending.count() * 5 >= (letters.len() - 1) * 4
}

/// The minimum length of a key that is recognized by the name before it, in bytes.
const SHORTEST_ASSIGNED: usize = 32;
/// Ends of the names of keys, in lower case and without `_` and `-`.
const NAMES: [&str; 7] = [
    "apikey",
    "secretkey",
    "accesskey",
    "accesstoken",
    "authtoken",
    "clientsecret",
    "apisecret",
];
/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 40;

/// Returns the key in quotation marks to which a name is given: `apiKey: "…"`, `API_KEY = '…'`.
fn assigned(text: &str, word: Span) -> Option<Secret> {
    let value = word.of(text);
    let bytes = text.as_bytes();
    let quote = *bytes.get(word.start.checked_sub(1)?)?;
    if value.len() < SHORTEST_ASSIGNED
        || !matches!(quote, b'"' | b'\'')
        || bytes.get(word.end) != Some(&quote)
    {
        return None;
    }
    let from = word.start.saturating_sub(MAX_NAME);
    let before = bytes.get(from..word.start - 1)?.trim_ascii_end();
    let name = before
        .strip_suffix(b":")
        .or_else(|| before.strip_suffix(b"="))?
        .trim_ascii_end();
    let name = name.strip_suffix(&[quote]).unwrap_or(name);
    let begin = name
        .iter()
        .rposition(|byte| !joins(*byte))
        .map_or(0, |at| at + 1);
    let name = String::from_utf8_lossy(&name[begin..])
        .to_lowercase()
        .replace(['_', '-'], "");
    let is_key = NAMES.iter().any(|known| name.ends_with(known));
    (is_key && is_mixed(value) && is_random(value))
        .then(|| Secret::of_word(word, "an API key", false))
}

/// Returns whether digits stand all over a text, and no part between `-` or `_` is a word. The digits of a name such as
/// `my-super-secret-key-2024` stand together.
fn is_mixed(text: &str) -> bool {
    let digits = text.split(|c: char| !c.is_ascii_digit());
    let runs = digits.filter(|run| !run.is_empty()).count();
    let mut parts = text.split(['-', '_']);
    let is_word = |part: &str| part.len() > 2 && part.chars().all(|c| c.is_ascii_alphabetic());
    runs >= 3 && !parts.any(is_word)
}

/// The maximum length of a private key's header, in bytes. `-----BEGIN ENCRYPTED PRIVATE KEY-----` has 37. Without a
/// maximum, repeated `-----BEGIN ` in one line take quadratic time.
const MAX_HEADER: usize = 100;
/// The beginning of a header.
const HEADER: &str = "-----BEGIN ";
const END_OF_HEADER: &[u8] = b"PRIVATE KEY-----";

/// Returns the header `-----BEGIN … PRIVATE KEY-----`, if a key follows. A header alone is documentation.
fn private_key(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    let head = rest.as_bytes().get(..MAX_HEADER).unwrap_or(rest.as_bytes());
    let line_end = memchr::memchr2(b'\n', b'\r', head).unwrap_or(head.len());
    let line = head.get(..line_end)?;
    let end = memchr::memmem::find(line, END_OF_HEADER)? + END_OF_HEADER.len();
    let key = rest
        .get(end..)?
        .trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
    let key = key
        .strip_prefix('n')
        .filter(|_| key.starts_with("nM"))
        .unwrap_or(key);
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let length = key.find(|c: char| !is_of_key(c)).unwrap_or(key.len());
    if length < 40 || !is_random(key.get(..length)?) {
        return None;
    }
    let is_around = |c: char| is_of_key(c) || c.is_whitespace() || matches!(c, '\\' | '"' | '>');
    let all = key.find(|c: char| !is_around(c)).unwrap_or(key.len());
    let start = text.len() - key.len();
    Some(Secret {
        span: Span::new(at, at + end),
        hidden: Span::new(start, start + all),
        what: "a private key",
        is_certain: true,
    })
}

/// Addresses to which everybody who knows them can send: without the scheme and a part of the host, the minimum length of
/// each part of the path after it, the name, and whether the text is certain to be one. The last part is the secret.
const HOOKS: [(&str, &[usize], &str, bool); 3] = [
    (
        "hooks.slack.com/services/",
        &[8, 8, 20],
        "the address of a Slack webhook",
        true,
    ),
    (
        "/api/webhooks/",
        &[17, 60],
        "the address of a Discord webhook",
        true,
    ),
    (
        "webhook.site/",
        &[36],
        "an address of webhook.site, where its owner reads what is sent",
        false,
    ),
];

/// Returns the secret in the path that begins at `path`, after an address at `start`.
fn hook(text: &str, start: usize, path: usize, parts: &[usize]) -> Option<(Span, Span)> {
    let mut last = Span::at(path);
    for (number, least) in parts.iter().enumerate() {
        let at = last.end + usize::from(number > 0);
        let part = text.as_bytes().get(at..)?;
        let length = part.iter().take_while(|byte| joins(**byte)).count();
        if length < *least || number > 0 && text.as_bytes().get(last.end) != Some(&b'/') {
            return None;
        }
        last = Span::new(at, at + length);
    }
    let hidden = Span::new((last.start + SHOWN).min(last.end), last.end);
    is_random(last.of(text)).then(|| (Span::new(start, last.end), hidden))
}

#[cfg(test)]
mod tests {
    use super::masked;
    use crate::view::search::Concerns;

    fn secrets(text: &str) -> Vec<super::Secret> {
        super::secrets(text, Concerns::of(text))
    }

    const KEY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

    #[test]
    fn samples_are_no_keys() {
        let header = "-----BEGIN PRIVATE KEY-----\n".to_owned();
        for sample in [
            "gho_16C7e42F292c6912E7710c838347Ae178B4a",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "AIzaSyA1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q",
            "ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5",
            "AKIAIOSFODNN7EXAMPLE",
            "secretKey: \"6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe\"",
            "ghp_abababab1212abababab1212abababab1212",
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
            "https://discord.com/api/webhooks/123456789012345678/your-token",
            "https://webhook.site/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
            "https://webhook.site/your-unique-id",
            "apiKey: \"your-api-key-goes-here-0123456789\"",
            "apiKey: \"my-super-secret-key-of-the-team-2024\"",
            "digest: \"q7Zs2kWp9LmX4vT8bNcY3hJ6fGdA1eU5\"",
            "apiKey: q7Zs2kWp9LmX4vT8bNcY3hJ6fGdA1eU5",
            &(header.clone() + "..."),
            &(header + &"x".repeat(64)),
        ] {
            assert_eq!(secrets(sample), [], "{sample}");
            assert_eq!(masked(sample), sample);
        }
    }

    #[test]
    fn a_certain_form_and_a_likely_form() {
        let private =
            format!("-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n{KEY}\n-----END RSA PRIVATE KEY-----");
        let escaped = format!("\"-----BEGIN PRIVATE KEY-----\\n{KEY}\\n{KEY}\"");
        let discord = format!("https://discord.com/api/webhooks/1187230917230917232/{KEY}");
        for (text, is_certain, shown) in [
            ("ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi", true, "ghp_R7…"),
            // Few letters in order are chance.
            ("ghp_A1b2C3d4R7qk2ZsW9pLmX4vT8bNcY3hJ6fGd", true, "ghp_A1…"),
            ("AKIAQX7ZT2LM9WK4RB3V", true, "AKIAQX…"),
            ("AKIAQX7ZT2LM9WK4RB3V8", false, "AKIAQX…"),
            (
                "sk-R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQiR7qk2Zs",
                false,
                "sk-R7q…",
            ),
            (
                "https://hooks.slack.com/services/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",
                true,
                "https://hooks.slack.com/services/T024BE7LD/B07QX2M9KZR/q7Zs2k…",
            ),
            (
                &discord,
                true,
                "https://discord.com/api/webhooks/1187230917230917232/MIIEvQ…",
            ),
            (
                "https://webhook.site/3f9a2c71-8be4-4d06-9c5a-e17b0d42f68c",
                false,
                "https://webhook.site/3f9a2c…",
            ),
            (
                "{\"api_key\" : \"q7Zs2kWp9LmX4vT8bNcY3hJ6fGdA1eU5\"}",
                false,
                "{\"api_key\" : \"q7Zs2k…\"}",
            ),
            (
                "OPENAI_API_KEY='q7Zs2kWp9LmX4vT8bNcY3hJ6fGdA1eU5'",
                false,
                "OPENAI_API_KEY='q7Zs2k…'",
            ),
            (
                &private,
                true,
                "-----BEGIN RSA PRIVATE KEY-----\n…-----END RSA PRIVATE KEY-----",
            ),
            (&escaped, true, "\"-----BEGIN PRIVATE KEY-----\\n…"),
        ] {
            let found = secrets(text);
            let certain: Vec<bool> = found.iter().map(|secret| secret.is_certain).collect();
            assert_eq!(certain, [is_certain], "{text}");
            assert_eq!(masked(text), shown, "{text}");
        }
    }
}
