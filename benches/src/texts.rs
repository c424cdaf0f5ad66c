//! Texts that are resolved, and what people type.

/// Bytes of a text.
pub const MB: usize = 1_000_000;

/// A kind of text: its name, and the text of about so many bytes.
pub type Text = (&'static str, fn(usize) -> String);

/// Texts as hosts meet them.
pub const USUAL: [Text; 3] = [
    ("prose with no $", |n| repeated(PROSE, n)),
    ("prose, a $ each hundred bytes", dollars),
    ("Markdown full of code", |n| repeated(CODE, n)),
];

/// Texts that are made to be slow.
pub const HOSTILE: [Text; 19] = [
    ("$a", |n| "$a ".repeat(n / 3)),
    ("known names", |n| "$api-design $code ".repeat(n / 18)),
    ("a known part", |n| "$api ".repeat(n / 5)),
    ("different unknown ids", |n| {
        (0..n / 8).map(|i| format!("$a{i:05} ")).collect()
    }),
    ("different numbers", |n| {
        (0..n / 8).map(|i| format!("${i:05}a ")).collect()
    }),
    ("links", |n| {
        (0..n / 24)
            .map(|i| format!("[$a](skill://b/{i:07})\n"))
            .collect()
    }),
    ("backticks", |n| format!("$a {}", "`".repeat(n))),
    ("runs of backticks", |n| {
        format!(
            "$a {}",
            (1..)
                .map(|i| "`".repeat(i) + " ")
                .scan(0, |sum, run| {
                    *sum += run.len();
                    (*sum < n).then_some(run)
                })
                .collect::<String>()
        )
    }),
    ("[a](", |n| format!("$a {}", "[a](".repeat(n / 4))),
    ("[$a](", |n| "[$a](".repeat(n / 5)),
    ("[", |n| format!("$a {}`", "[".repeat(n))),
    (">", |n| format!("$a ` {}", ">".repeat(n))),
    ("> in lines", |n| {
        format!("$a `\n{}", "> $a\n".repeat(n / 5))
    }),
    ("backslashes", |n| format!("$a ` {}$a", "\\".repeat(n))),
    ("*a_", |n| format!("$a ` {}", "*a_".repeat(n / 3))),
    ("nested quotes", |n| {
        format!(
            "`$a`\n{}",
            (1..)
                .map(|i| ">".repeat(i % 500) + "\n")
                .scan(0, |sum, line| {
                    *sum += line.len();
                    (*sum < n).then_some(line)
                })
                .collect::<String>()
        )
    }),
    ("comments that open", |n| {
        format!("$a {}", "<!-- ".repeat(n / 5))
    }),
    ("<a", |n| format!("$a {}", "<a ".repeat(n / 3))),
    ("fences", |n| "```\n$a\n".repeat(n / 7)),
];

/// Unknown ids with few near names.
pub const NEAR: [&str; 5] = [
    "code-reveiw",
    "desing-api",
    "postgres-migra",
    "kdp",
    "zzzzzz",
];

/// Unknown ids with letters that very many names have.
pub const BROAD: [&str; 3] = ["ing", "test", "api"];

/// Texts with the cursor at their end, to complete.
pub const TYPED: [&str; 8] = [
    "$",
    "$s",
    "$skill-0",
    "$skill-00042",
    "$skil-00042x",
    "$zzz",
    "/",
    "/skill-0",
];

const PROSE: &str = "The parser keeps its place in the text, and when a boundary is met it says so: the \
    reader sees what was expected, what came, and where. Nothing else is printed, and nothing is \
    guessed. A change of the input changes one line of the output.\n\n";

/// A page of a manual.
const CODE: &str = "## Building\n\nRun `cargo build` with `RUSTFLAGS` set, or `$HOME/bin/build` where \
    **that** is there; see [the guide](docs/build.md) and `$CARGO_HOME`. Then $nope checks it:\n\n\
    ```sh\nexport PATH=\"$HOME/bin:$PATH\"\nfor f in *.rs; do rustfmt \"$f\"; done\n```\n\n\
    - first `a`, then `b`\n- *never* `c`\n\n    let x = price(\"$5\");\n    emit(x);\n\n";

fn repeated(text: &str, length: usize) -> String {
    text.repeat(length / text.len())
}

/// Prose with a `$` each hundred bytes: sums, variables, and a few mentions.
fn dollars(length: usize) -> String {
    let dollars = ["$20", "$HOME", "$5.50", "$nope", "$x", "$100k", "$PATH"];
    let mut text = String::new();
    let words = repeated(PROSE, length);
    for (piece, dollar) in words.as_bytes().chunks(96).zip(dollars.iter().cycle()) {
        text += &String::from_utf8_lossy(piece);
        text.truncate(text.trim_end().len());
        text.extend([" ", dollar, " "]);
    }
    text
}
