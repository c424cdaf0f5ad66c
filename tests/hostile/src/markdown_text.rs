//! Markdown that makes a careless parser quadratic.

use crate::numbers::Numbers;

/// A text of a few pieces, one of them repeated.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// Repeated in the first quarter of the text.
    pub(crate) deep: String,
    pub(crate) start: String,
    pub(crate) repeated: String,
    pub(crate) end: String,
}

impl Pattern {
    /// Returns a text of about the given length.
    pub(crate) fn text(&self, length: usize) -> String {
        let repeat = |piece: &str, length: usize| piece.repeat(length / piece.len().max(1));
        let deep = repeat(&self.deep, length / 4);
        let rest = repeat(&self.repeated, length - deep.len());
        format!("{deep}{}{rest}{}", self.start, self.end)
    }
}

/// Known hard patterns: the start, the repeated piece, the end.
const HARD: &[(&str, &str, &str)] = &[
    ("[a](", "../", "x)"),
    ("", "http://a", ""),
    ("[a](b \"", "\n x", ""),
    ("", "$1@", ""),
    ("", "> ", "a"),
    ("", "[", "a"),
    ("", "![", "a"),
    ("", "[a](", ""),
    ("", "*a_ ", ""),
    ("", "**x", ""),
    ("", "`a``", ""),
    ("", "<!--", ""),
    ("", "<a ", ""),
    ("", "<?", ""),
    ("", "<![CDATA[", ""),
    ("", "- ", "a"),
    ("", "&", ""),
    ("", "[a]: b\n", "[a]"),
    ("", "$a@", ""),
    ("", "$ARGUMENTS[", ""),
    ("", "${a", ""),
    ("", "|a", "\n|-\n"),
    ("", "~~~a\n", ""),
    ("", "a\n---\n", ""),
    ("", "\u{200b}", ""),
    ("", "/a.md:", ""),
    ("", "http://a", ""),
    ("", "curl a |", " sh"),
    ("", "TODO [insert ", "]"),
    ("", "orem ipsum\n", ""),
    ("", "-----BEGIN ", ""),
    ("", "curl|", ""),
    ("```\n", "npx a ", ""),
    ("", "[a](B.md)", ""),
    ("", "$ab$ac ", ""),
    ("", "\u{202e}x", ""),
    ("", "a\r", ""),
    ("", "[a](SKILL.md#x)\n", ""),
    ("", "<!-- skills: allow body-length -->\n\nx\n\n", ""),
    ("", "<-- x -->\n\n`a`\n\n", ""),
    ("", "\\`\\`\\`\n\n`a`\n\n", ""),
];

/// Containers nested over a quarter of the text, and the piece repeated inside.
const DEEP: &[(&str, &str)] = &[
    ("[^a]:", "x\n"),
    ("> ", "\\$a~~~\n"),
    ("> ", "$1@"),
    ("- ", "x\n"),
    ("> ", "x\n> "),
    ("[", "](x)"),
    ("*", "a*"),
];

pub(crate) fn hard() -> Vec<Pattern> {
    let pattern = |&(start, repeated, end): &(&str, &str, &str)| Pattern {
        deep: String::new(),
        start: start.to_owned(),
        repeated: repeated.to_owned(),
        end: end.to_owned(),
    };
    let flat = HARD.iter().map(pattern);
    let nested = DEEP.iter().map(|&(deep, repeated)| Pattern {
        deep: deep.to_owned(),
        start: String::new(),
        repeated: repeated.to_owned(),
        end: String::new(),
    });
    nested.chain(flat).collect()
}

/// The pieces of random patterns.
const CONSTRUCTS: &[&str] = &[
    "> ",
    "- ",
    "1. ",
    "# ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "```",
    "~~~",
    "`",
    "``",
    "*",
    "**",
    "_",
    "[",
    "]",
    "](",
    ")",
    "![",
    "[a](b \"",
    "\"",
    "<",
    ">",
    "<!--",
    "-->",
    "<a ",
    "&amp;",
    "\\",
    "$a",
    "$1",
    "$ARGUMENTS",
    "${A}",
    "@",
    "|",
    "---\n",
    "===\n",
    "[^1]",
    "[a]: b\n",
    "x",
    "é",
    " ",
    "~",
    "http://a.b",
    "a/b.md",
    "~~",
    ":",
];

/// Returns patterns of random constructs, the same for the same seed. The first patterns are in nested containers.
pub(crate) fn random(seed: u64, count: usize) -> Vec<Pattern> {
    let mut numbers = Numbers::new(seed);
    let mut piece = |most: u64| -> String {
        let length = numbers.below(most) + 1;
        let pieces = (0..length).filter_map(|_| numbers.choice(CONSTRUCTS));
        pieces.copied().collect()
    };
    let containers = &["> ", "- ", "1. ", "> - ", "[", "**", "  "];
    let patterns = (0..count).map(|n| Pattern {
        deep: containers.get(n).copied().unwrap_or_default().to_owned(),
        start: piece(2),
        repeated: piece(4),
        end: piece(2),
    });
    patterns.collect()
}
