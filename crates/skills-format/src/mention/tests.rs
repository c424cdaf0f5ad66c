use super::*;
use crate::mention::grammar::is_letter;
use crate::mention::neutralize::neutralize;
use proptest::prelude::*;

const IDS: &[&str] = &[
    "systematic-debugging",
    "code-review",
    "superpowers:systematic-debugging",
    "github:gh-fix-ci",
    "3d-modeling",
    "007",
    "résumé",
    "ppt制作",
    "a:代码",
];

fn found(text: &str) -> Vec<Candidate<'_>> {
    scan(text, &|id| IDS.contains(&id))
}

/// Returns candidates in a short form: `id`, `linked:id`, `escaped:id`, `reserved:id`, with `@Mask` if masked.
fn read(text: &str) -> Vec<String> {
    found(text)
        .iter()
        .map(|candidate| {
            let kind = match &candidate.kind {
                CandidateKind::Bare => "",
                CandidateKind::Linked(_) => "linked:",
                CandidateKind::Escaped => "escaped:",
                CandidateKind::Reserved => "reserved:",
            };
            let mask = candidate.masked.map(|mask| format!("@{mask:?}"));
            format!("{kind}{}{}", candidate.id(), mask.unwrap_or_default())
        })
        .collect()
}

#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(read(text), *expected, "{text:?}");
    }
}

#[track_caller]
fn check_text(cases: &[&str]) {
    for text in cases {
        assert_eq!(read(text), [""; 0], "{text:?}");
    }
}

#[test]
fn before_a_mention() {
    for before in [
        "",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\u{a0}",
        "\u{3000}",
        "(",
        "[",
        "{",
        "<",
        "\"",
        "'",
        "*",
        "**",
        "_",
        "~",
        ",",
        ";",
        "|",
        "“",
        "”",
        "‘",
        "’",
        "„",
        "‚",
        "«",
        "»",
        "‹",
        "›",
        "–",
        "—",
        "。",
        "、",
        "，",
        "：",
        "；",
        "！",
        "（",
        "「",
        "」",
        "『",
        "《",
        "【",
        "〜",
        "～",
        "・",
        "／",
        "用",
        "々",
        "ひ",
        "カ",
        "ー",
        "が",
        "ｶ",
        "ก",
        "ที่",
        "ລ",
        "ខ",
        "ក្",
        "က",
        "မြ",
    ] {
        let text = format!("{before}$code-review");
        assert_eq!(read(&text), ["code-review"], "{text:?}");
        let text = format!("x {before}$code-review");
        assert_eq!(read(&text), ["code-review"], "{text:?}");
    }
    for before in [
        "x", "X", "é", "я", "한", "ب", "1", "٣", "/", "=", "-", ".", ":", "@", "$", "`", "+", "#",
        "%", "&", "!", "?", ">", ")", "]", "}", "^", "…", "·", "‑", "−", "€", "🚀", "\u{200b}",
        "\u{feff}", "＝", "e\u{301}",
    ] {
        let text = format!("x{before}$code-review");
        assert_eq!(read(&text), [""; 0], "{text:?}");
    }
}

#[test]
fn escapes() {
    check(&[
        ("\\$code-review", &["escaped:code-review"]),
        ("\\\\$code-review", &["code-review"]),
        ("\\\\\\$code-review", &["escaped:code-review"]),
        ("(\\$code-review)", &["escaped:code-review"]),
        ("用\\$code-review", &["escaped:code-review"]),
        ("\\$github:*", &["escaped:github:*"]),
        ("\\$a $b", &["escaped:a", "b"]),
        ("\\[$a](skill://b/a)", &["a"]),
        ("[\\$a](skill://b/a)", &["escaped:a"]),
    ]);
    check_text(&[
        "cost\\$code-review",
        "cost\\\\$code-review",
        "\\$PATH",
        "\\$20k",
        "\\$x(1)",
        "/\\$x",
    ]);
    let candidate = &found("a \\$b")[0];
    assert_eq!((candidate.raw, candidate.span.range()), ("$b", 3..5));
}

#[test]
fn runs() {
    check(&[
        ("$a", &["a"]),
        ("$a-b_c9", &["a-b_c9"]),
        ("$dëmo", &["dëmo"]),
        ("$de\u{308}mo", &["de\u{308}mo"]),
        ("$हिन्दी", &["हिन्दी"]),
        ("$код٣", &["код٣"]),
        ("$代码审查", &["代码审查"]),
        ("$a-", &["a"]),
        ("$a_", &["a"]),
        ("$a-_-", &["a"]),
        ("$a:", &["a"]),
        ("$a_:", &["a"]),
        ("$a:-", &["a"]),
        ("$a:_ b", &["a"]),
        ("_$tdd_", &["tdd"]),
        ("$-a", &[]),
        ("$_a", &[]),
        ("$a:_b", &[]),
        ("$_$a", &[]),
        ("$a:b", &["a:b"]),
        ("$a:b-", &["a:b"]),
        ("$a:b:", &["a:b"]),
        ("$a-:b", &["a-:b"]),
        ("$a²", &["a"]),
        ("$a🚀", &["a"]),
        ("$a\u{200d}b", &["a"]),
        ("$a+b", &["a"]),
        ("$a—b", &["a"]),
    ]);
    check_text(&["$", "$$", "$ a", "$:a", "$\u{301}a", "$?", "$!", "$#", "$*"]);
}

#[test]
fn names_in_capitals() {
    let is_exact = |id: &str| matches!(id, "aleph" | "code-review" | "home" | "a:aleph");
    let found = |text: &str| -> Vec<String> {
        let candidates = scan(text, &is_exact).into_iter();
        let bare = candidates.filter(Candidate::is_mention);
        bare.map(|candidate| candidate.id().to_owned()).collect()
    };
    assert_eq!(found("$ALEPH x"), ["ALEPH"]);
    assert_eq!(
        found("use $CODE-REVIEW, then $ALEPH."),
        ["CODE-REVIEW", "ALEPH"]
    );
    for text in [
        "$HOME",
        "$OTHER",
        "$CODE_REVIEW",
        "$A:ALEPH",
        "$_ALEPH",
        "${ALEPH}",
        "$ALEPH=1",
        "$ALEPH/x",
        "x$ALEPH",
        "\\$ALEPH",
        "`$ALEPH`",
        "$ echo $ALEPH",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn segments() {
    check(&[
        ("$x", &["x"]),
        ("$Path", &["Path"]),
        ("$PATHx", &["PATHx"]),
        ("$PATHé", &["PATHé"]),
        ("$É", &["É"]),
        ("$a:Bc", &["a:Bc"]),
        ("$Systematic-Debugging", &["Systematic-Debugging"]),
        ("$3d-modeling", &["3d-modeling"]),
        ("$a:3d", &["a:3d"]),
    ]);
    check_text(&[
        "$PATH",
        "$HOME_DIR",
        "$X",
        "$X_1",
        "$X-Y",
        "$PATH_",
        "$_",
        "$_1",
        "$-",
        "$1",
        "$5",
        "$007",
        "$٣",
        "$20k",
        "$1e6",
        "$1_000",
        "$3d-model",
        "$3d-modeling-x",
        "$1a:b",
        "$a:1",
        "$a:B",
        "$A:b",
        "$a:_1",
        "$X٣",
    ]);
}

#[test]
fn after_a_mention() {
    for after in [
        "",
        " ",
        "\n",
        "\u{a0}",
        ")",
        "]",
        "}",
        "*",
        "**",
        "\"",
        "'s list",
        "”",
        ",",
        ";",
        "!",
        "?",
        "|",
        "~",
        "<",
        ">",
        "&",
        "+",
        "#",
        "^",
        "…",
        "—",
        "，",
        "。",
        "（",
        "🚀",
        ". Then",
        ".",
        "..",
        ".-",
        "._",
        ": the parser",
        ":",
        ":\n",
        ":**",
        ":)",
        "-",
        "- b",
        "_",
        "_ b",
        "-:",
        "-,",
        "-)",
        "_>",
        ":*x",
        ":>",
    ] {
        let text = format!("$code-review{after}");
        assert_eq!(read(&text), ["code-review"], "{text:?}");
    }
    for after in [
        "(", "(1)", "[0]", "{", "=", "=1", "==", "/", "/x", "\\", "\\x", "$", "$x", "@x", "%",
        "::", "::b", ":b:c", ":b::c", ".value", ".5", ".é", ".٣", "->b", "->", "-(", "_(", "_[0]",
        "_$y", "-/", "-\\", "-@", "-.b", "_.b", ":/x", "://x", ":(x)", ":$y", ":=1", ":.b", ":{",
        "-:/x", "-->", ":->", ":-:c", "_$y_$z",
    ] {
        let text = format!("$a{after}");
        assert_eq!(read(&text), [""; 0], "{text:?}");
    }
}

#[test]
fn reserved() {
    check(&[
        ("$github:*", &["reserved:github:*"]),
        ("use $github:* now", &["reserved:github:*"]),
        ("_$github:*\n", &["reserved:github:*"]),
        ("$github:*,", &["github"]),
        ("$github:**", &["github"]),
        ("*$github:*", &["github"]),
        ("**$code-review:** go", &["code-review"]),
        ("$github-:*", &["github"]),
        ("$a:b:*", &["a:b"]),
    ]);
    check_text(&["$PATH:*", "$5:*", "x$github:*"]);
    assert_eq!(found("a $b:* c")[0].span.range(), 2..6);
}

#[test]
fn a_change_of_scripts_ends_an_id() {
    check(&[
        ("请用$code-review检查", &["code-review"]),
        ("$code-reviewを使う", &["code-review"]),
        ("$code-reviewカード", &["code-review"]),
        ("$code-reviewช่วย", &["code-review"]),
        ("$code-review-检查", &["code-review"]),
        ("$code-review:检查", &["code-review"]),
        ("$github:gh-fix-ci检查", &["github:gh-fix-ci"]),
        ("$a检查(1)", &["a"]),
        ("$a检b查", &["a"]),
        ("$检a查", &["检a"]),
        ("$ppt制作", &["ppt制作"]),
        ("$ppt制作一个", &["ppt"]),
        ("$ppt制作-", &["ppt制作"]),
        ("$a:代码", &["a:代码"]),
        ("$检查a", &["检查a"]),
        ("$code-review를", &["code-review를"]),
        ("$code-reviewé", &["code-reviewé"]),
        ("$a检，$b", &["a", "b"]),
        ("$a检$b", &["a", "b"]),
    ]);
    check_text(&["$PATH变量", "$20元", "$3d建模", "$_检", "$ppt制作(1)"]);
    assert_eq!(found("用$code-review检")[0].span.range(), 3..15);
}

#[test]
fn the_oracle_is_asked_in_normal_form() {
    let asked = std::cell::RefCell::new(Vec::new());
    scan("$a $\u{661}e\u{301} $é制 $bか\u{3099} $é", &|id| {
        asked.borrow_mut().push(id.to_owned());
        false
    });
    assert_eq!(asked.into_inner(), ["\u{661}é", "bが"]);
    let candidate = &found("$re\u{301}sume\u{301}!")[0];
    assert_eq!(candidate.key(), "résumé");
    assert_eq!(candidate.span.range(), 0..11);
    assert_eq!(Id::parse(found("$a:b")[0].id()), Id::of("a", "b"));
    assert_eq!(Id::parse(found("$a")[0].id()).source, None);
}

#[test]
fn links() {
    let link = |text| match &found(text)[..] {
        [candidate] => match &candidate.kind {
            CandidateKind::Linked(link) => {
                Some((candidate.raw, candidate.span.start, link.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    let skill = |address: &str| Link::Skill(address.to_owned());
    let file = |address: &str| Link::File(address.to_owned());
    for (text, expected) in [
        (
            "[$review](skill://github/gh-fix-ci)",
            ("$review", 1, skill("github/gh-fix-ci")),
        ),
        ("a [$b](skill://) c", ("$b", 3, skill(""))),
        ("[$b](skill://a/SKILL.md)", ("$b", 1, skill("a/SKILL.md"))),
        (
            "[$b](skill://C:/a/SKILL.md)",
            ("$b", 1, file("C:/a/SKILL.md")),
        ),
        ("**[$b](<skill://a/b c> \"t\")**", ("$b", 3, skill("a/b c"))),
        ("[$b](../b/SKILL.md)", ("$b", 1, file("../b/SKILL.md"))),
        ("[$b](SKILL.md)", ("$b", 1, file("SKILL.md"))),
        (
            "[$b](https://x.y/b/SKILL.md)",
            ("$b", 1, file("https://x.y/b/SKILL.md")),
        ),
        ("[$a:b](skill://a/b)", ("$a:b", 1, skill("a/b"))),
        ("[$b检](skill://a/b检)", ("$b检", 1, skill("a/b检"))),
        ("  \r\n [$b](skill://a)", ("$b", 6, skill("a"))),
        ("/[$b](skill://a)", ("$b", 2, skill("a"))),
    ] {
        assert_eq!(link(text), Some(expected), "{text:?}");
    }
    check(&[
        ("> [$b](skill://a)", &["linked:b@Quote"]),
        ("`[$b](skill://a)`", &["b@CodeSpan"]),
        ("[see $b](skill://a)", &["b"]),
        (r"[x \[$b](skill://a)", &["b"]),
        ("[$b ](skill://a)", &["b"]),
        ("[$b, $c](skill://a)", &["b", "c"]),
        ("[$b-](skill://a)", &["b"]),
        ("[*$b*](skill://a)", &["b"]),
        ("[$b] (skill://a)", &["b"]),
        ("[see $b][r]\n\n[r]: x", &["b"]),
        ("[$b][r]\n\n[r]: skill://a", &["b"]),
        ("[$b]\n\n[$b]: skill://a", &["b"]),
        ("[a]( $b )", &[]),
        ("[a](<x $b>)", &[]),
        ("[a](x \"$b\") $c", &["c"]),
    ]);
    check_text(&[
        "[$b](https://x.y)",
        "[$b]()",
        "[$b](#skill)",
        "[$b](xskill://a)",
        "[$b](SKILL.md#top)",
        "[$b检](https://x.y)",
        "[$PATH](skill://a/b)",
        "![$b](skill://a)",
        "![see $b](skill://a)",
        "[![$b](a.png)](skill://a/b)",
        "[r]\n\n[r]: $b '$c'",
        "<https://x.y/,$b>",
    ]);
}

#[test]
fn masks() {
    check(&[
        ("```\n$b\n```\n$c", &["b@Fence", "c"]),
        ("``` $b\n```", &["b@Fence"]),
        ("~~~sh\n$b", &["b@Fence"]),
        ("a\n\n    $b", &["b@Indented"]),
        ("    $b", &["b"]),
        ("`$b`", &["b@CodeSpan"]),
        ("`` $b` ``", &["b@CodeSpan"]),
        ("`a ($b)`", &["b@CodeSpan"]),
        ("`\\$b`", &["escaped:b@CodeSpan"]),
        ("`unclosed $b", &["b"]),
        ("`$b", &[]),
        ("`a`$b", &[]),
        ("    a\n\n    `$b`", &[]),
        ("a\n\n    `$b` $c", &["c@Indented"]),
        ("> $b\n$c", &["b@Quote", "c"]),
        ("> `$b`", &["b@CodeSpan"]),
        ("> ```\n> $b", &["b@Fence"]),
        ("$ echo $b", &["b@Prompt"]),
        ("$ echo `$b` $c", &["b@CodeSpan", "c@Prompt"]),
        ("!echo $b", &["b@Command"]),
        ("![shape](a.png) $b", &["b"]),
        ("<!-- $b --> $c", &["b@Comment", "c"]),
        ("<div>$b", &[]),
        ("<div> $b <!--$c $d -->", &["b", "d@Comment"]),
        ("<a b=' $c '>", &["c"]),
        ("# $b #", &["b"]),
        ("$b\n===", &["b"]),
        ("- $b\n- $c", &["b", "c"]),
    ]);
}

/// The cases of the worked example that do not need a catalog.
#[test]
fn worked_cases() {
    check(&[
        (
            "$systematic-debugging fix the auth bug",
            &["systematic-debugging"],
        ),
        (
            "$github:gh-fix-ci inspect failing checks",
            &["github:gh-fix-ci"],
        ),
        ("copy $nope to $there", &["nope", "there"]),
        (
            "$tdd $systematic-debugging go",
            &["tdd", "systematic-debugging"],
        ),
        ("please use $code-review, then stop.", &["code-review"]),
        ("$code-review: the parser", &["code-review"]),
        ("**$code-review** it", &["code-review"]),
        ("($code-review)", &["code-review"]),
        ("$code-review's list", &["code-review"]),
        ("“$code-review”", &["code-review"]),
        ("**$code-review:** it", &["code-review"]),
        ("![shape](a.png) $code-review", &["code-review"]),
        ("`unclosed $code-review", &["code-review"]),
        ("```\na\n$code-review", &["code-review@Fence"]),
        ("$dëmo", &["dëmo"]),
    ]);
    check_text(&[
        "cost$code-review",
        "a/$code-review",
        "x=$code-review",
        "$code-review/x",
        "$code-review(1)",
        "${x}",
        "$(ls)",
        "$x$",
        "$x^2$",
        "$config.value",
        "$arr[0]",
        "$dir/file",
        "$f(x)",
        "$a->b",
        "$a::b",
        "$a:b:c",
        "$x_$y",
    ]);
}

#[test]
fn the_work_is_linear() {
    for unit in [
        "$a ", "$a", "$", "\\", "\\$a ", "$a-", "$-", "$_", "$a:", "$a:b", "$1", "$1a ", "$a检",
        "检", "检$a", "$a\n", "\n", " ", "> ", "> $a\n", "- ", "$é", "$a_$", ":",
    ] {
        let steps = |length: usize| {
            let text = format!("$a {} $b", unit.repeat(length));
            let steps = crate::text::work::tests::of(|| scan(&text, &|_| false));
            (steps, text.len())
        };
        let (few, length) = steps(1000);
        let (many, _) = steps(8000);
        assert!(
            few <= 8 * length,
            "{unit:?}: {few} steps for {length} bytes"
        );
        assert!(many <= 8 * few + 100, "{unit:?}: {few}, then {many}");
    }
}

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "$", "$", "$a", "$b", "$code-review", "$3d", "$20k", "$PATH", "$检", "a", "B", "检", "é", "\u{301}", "1",
    "-", "_", ":", ":*", "*", ".", ",", "/", "\\", "\\", "`", "```", "\n", "\r", " ", "    ", "\t", "> ", "!",
    "$ ", "<!--", "-->", "[", "](", "](skill://a/b)", "]", ")", "(", "@", ">", "~~~", "ー", "🚀", "\u{a0}",
];

fn text() -> impl Strategy<Value = String> {
    let token = prop::sample::select(TOKENS);
    prop_oneof![
        prop::collection::vec(token, 0..16).prop_map(|tokens| tokens.concat()),
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn spans_are_those_of_the_text(text in text(), exact: bool) {
        let mut end = 0;
        for candidate in scan(&text, &|_| exact) {
            prop_assert!(candidate.span.start >= end);
            end = candidate.span.end;
            prop_assert_eq!(text.get(candidate.span.range()), Some(candidate.raw));
            prop_assert!(candidate.raw.starts_with('$'));
            prop_assert!(candidate.id().contains(is_letter));
        }
    }

    #[test]
    fn nothing_is_left_to_activate(text in text(), exact: bool) {
        let safe = neutralize(&text);
        let left: Vec<_> = scan(&safe, &|_| exact);
        prop_assert!(!left.iter().any(Candidate::is_mention), "{safe:?}: {left:?}");
        prop_assert!(!left.iter().any(|candidate| candidate.kind == CandidateKind::Reserved));
        prop_assert!(!safe.trim_start().starts_with('/'));
        prop_assert_eq!(neutralize(&safe), &*safe);
        prop_assert_eq!(safe.replace('\\', ""), text.replace('\\', ""));
    }

    #[test]
    fn parsing_changes_nothing_without_a_reason(text in text()) {
        // A code span at the end is a reason to parse, and changes nothing before it.
        let with_reason = format!("{text}\n\n`a`");
        let read = |text: &str| -> Vec<_> {
            let candidates = scan(text, &|_| false).into_iter();
            candidates.map(|c| (c.span, c.kind, c.masked)).collect()
        };
        if !text.contains(['`', '~', '<']) {
            prop_assert_eq!(read(&text), read(&with_reason));
        }
    }
}

#[test]
fn unspaced_scripts_are_those_of_unicode() {
    use crate::mention::grammar::{is_letter, is_mark, is_unspaced};
    use unicode_script::{Script, UnicodeScript as _};
    let unspaced = [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Thai,
        Script::Lao,
        Script::Khmer,
        Script::Myanmar,
    ];
    for c in '\0'..=char::MAX {
        // The script of `ー` is common to several; its extensions name them.
        let scripts = c.script_extension();
        let expected = (is_letter(c) || is_mark(c))
            && !scripts.is_common()
            && !scripts.is_inherited()
            && unspaced
                .iter()
                .any(|script| scripts.contains_script(*script));
        assert_eq!(is_unspaced(c), expected, "{c:?}");
    }
}
