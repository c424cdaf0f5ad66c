//! The folders of skills that the programs of other makers were run in.
//!
//! A folder is a list of files below `skills`. The same text is made for the programs and for our test.

use std::fs;
use std::io;
use std::path::Path;

/// A folder of skills.
#[derive(Clone)]
pub(crate) struct Folder {
    pub(crate) name: &'static str,
    /// Paths below the folder of skills, with their contents.
    pub(crate) files: Vec<(String, String)>,
    /// Links below the folder of skills: the path of the link, and what it names.
    pub(crate) links: Vec<(&'static str, &'static str)>,
}

/// Returns every folder.
pub(crate) fn folders() -> Vec<Folder> {
    vec![
        few(),
        names(),
        twice(),
        restraints(),
        markup(),
        format(),
        yaml(),
        fields(),
        nested(),
        links(),
        many(),
        crowd(),
        wide(),
        long(),
        paths(),
        uneven(),
    ]
}

impl Folder {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            files: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Adds a file.
    pub(crate) fn file(&mut self, path: &str, text: &str) {
        self.files.push((path.to_owned(), text.to_owned()));
    }

    /// Adds a skill with the lines of its front matter.
    pub(crate) fn skill(&mut self, folder: &str, front: &str) {
        self.file(
            &format!("{folder}/SKILL.md"),
            &format!("---\n{front}\n---\nDo it.\n"),
        );
    }

    /// Adds a skill with a name and a description.
    fn plain(&mut self, name: &str, description: &str) {
        self.skill(name, &format!("name: {name}\ndescription: {description}"));
    }

    /// Writes the files and links.
    pub(crate) fn write(&self, skills: &Path) -> io::Result<()> {
        for (path, text) in &self.files {
            let path = skills.join(path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, text)?;
        }
        for (link, to) in &self.links {
            let link = skills.join(link);
            if let Some(folder) = link.parent() {
                fs::create_dir_all(folder)?;
            }
            #[cfg(unix)]
            std::os::unix::fs::symlink(to, link)?;
            #[cfg(not(unix))]
            let _ = (to, link);
        }
        Ok(())
    }
}

/// Returns `length` characters of words that begin with a number, so that a cut shows its place.
fn words(number: usize, length: usize) -> String {
    let mut text = format!("Does number {number}");
    let mut word = 0;
    while text.chars().count() < length {
        word += 1;
        text += " w";
        text += &(number * 1000 + word).to_string();
    }
    text.chars()
        .take(length)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// Few skills, in another order than that of their names; texts of every form of YAML.
fn few() -> Folder {
    let mut all = Folder::new("few");
    all.plain("tidy", "Sorts files. Use when a desk is full.");
    all.plain("alpha", "'Says ''alpha''. Use when asked.'");
    all.plain("Beta", "\"Says \\\"beta\\\".\\tUse when asked.\"");
    all.skill(
        "folded",
        "name: folded\ndescription: >\n  One line,\n  and the next.\n\n  A paragraph.",
    );
    all.skill(
        "literal",
        "name: literal\ndescription: |\n  One line.\n  And the next.\n\n  A paragraph.",
    );
    all.skill(
        "plain-lines",
        "name: plain-lines\ndescription: One line\n  and   the next  with spaces.",
    );
    all.skill(
        "when",
        "name: when\ndescription: Says when.\nwhen_to_use: Use when it is late.",
    );
    all.skill(
        "when-two",
        "name: when-two\ndescription: Says when.\nwhen-to-use: Use when it is early.",
    );
    all.skill(
        "when-only",
        "name: when-only\nwhen_to_use: Use when there is nothing else.",
    );
    all.skill("version", "name: version\ndescription: Has fields.\nversion: 1.2.0\nlicense: MIT\nmetadata:\n  short-description: Short.\n  author: A");
    all
}

/// Names that are not the folder's, missing, wrong or twice.
fn names() -> Folder {
    let mut all = Folder::new("names");
    all.skill(
        "folder-one",
        "name: other-name\ndescription: The name is not the folder's.",
    );
    all.skill("no-name", "description: There is no name.");
    all.skill("empty-name", "name:\ndescription: The name is empty.");
    all.skill(
        "quoted-empty",
        "name: \"\"\ndescription: The name is empty text.",
    );
    all.skill("no-description", "name: no-description");
    all.skill("empty-description", "name: empty-description\ndescription:");
    all.skill(
        "space-description",
        "name: space-description\ndescription: \"  \"",
    );
    all.skill(
        "capitals",
        "name: Capital Letters\ndescription: Capitals and a space.",
    );
    all.skill(
        "under_score",
        "name: under_score\ndescription: An underscore.",
    );
    all.skill("colon", "name: \"one:two\"\ndescription: A colon.");
    all.skill("slash", "name: one/two\ndescription: A slash.");
    all.skill("umlaut", "name: übung\ndescription: A letter beyond ASCII.");
    all.skill("plus", "name: a+b\ndescription: A plus sign.");
    all.skill("han", "name: 整理\ndescription: Two wide letters.");
    all.skill("dots", "name: a.b.c\ndescription: Dots.");
    all.skill("angles", "name: a<b>\ndescription: Angle brackets.");
    all.skill(
        "padded",
        "name: \"  padded  \"\ndescription: Spaces around the name.",
    );
    all.skill(
        "lines",
        "name: \"two\\nlines\"\ndescription: A line feed in the name.",
    );
    all.skill("number", "name: 123\ndescription: The name is a number.");
    all.skill(
        "decimal",
        "name: 1.50\ndescription: The name is a number with a point.",
    );
    all.skill("truth", "name: true\ndescription: The name is a boolean.");
    all.skill("nothing", "name: null\ndescription: The name is null.");
    all.skill("day", "name: 2026-01-02\ndescription: The name is a date.");
    all.skill(
        "456",
        "name: \"456\"\ndescription: The name is text of digits.",
    );
    all.skill("number-text", "name: number-text\ndescription: 42");
    all.skill("truth-text", "name: truth-text\ndescription: true");
    all.skill("day-text", "name: day-text\ndescription: 2026-01-02");
    all.skill("list-text", "name: list-text\ndescription: [one, two]");
    all.skill("map-text", "name: map-text\ndescription: {one: two}");
    all.skill(
        "long-64",
        &format!("name: {}\ndescription: 64 characters.", "n".repeat(64)),
    );
    all.skill(
        "long-65",
        &format!("name: {}\ndescription: 65 characters.", "m".repeat(65)),
    );
    all.skill(
        "claude-help",
        "name: claude-help\ndescription: A reserved word in the name.",
    );
    all.skill(
        "init",
        "name: init\ndescription: The name of a built-in command.",
    );
    all
}

/// A name and a file that are there twice.
fn twice() -> Folder {
    let mut all = Folder::new("twice");
    all.skill("same-a", "name: same\ndescription: The first of two.");
    all.skill("same-b", "name: same\ndescription: The second of two.");
    all.plain("real", "A folder.");
    all.links = vec![("again", "real")];
    all
}

/// Every spelling that closes a skill to the model or the person.
fn restraints() -> Folder {
    let mut all = Folder::new("restraints");
    all.plain("open", "Closed to nobody.");
    for (folder, field) in [
        ("disable-true", "disable-model-invocation: true"),
        ("disable-false", "disable-model-invocation: false"),
        ("disable-text", "disable-model-invocation: \"true\""),
        ("disable-yes", "disable-model-invocation: yes"),
        ("disable-on", "disable-model-invocation: on"),
        ("disable-one", "disable-model-invocation: 1"),
        ("disable-capital", "disable-model-invocation: True"),
        ("disable-under", "disable_model_invocation: true"),
        ("disable-camel", "disableModelInvocation: true"),
        ("user-false", "user-invocable: false"),
        ("user-text", "user-invocable: \"false\""),
        ("user-no", "user-invocable: no"),
        (
            "autoinvoke-text",
            "metadata:\n  opencode/autoinvoke: \"false\"",
        ),
        (
            "autoinvoke-false",
            "metadata:\n  opencode/autoinvoke: false",
        ),
        ("autoinvoke-dot", "metadata.opencode/autoinvoke: \"false\""),
        ("slash-false", "metadata:\n  opencode/slash: \"false\""),
        (
            "both",
            "disable-model-invocation: true\nuser-invocable: false",
        ),
        ("paths", "paths: \"*.nothing\""),
        ("paths-list", "paths:\n  - \"*.nothing\""),
        ("fork", "context: fork"),
        ("hidden", "hidden: true"),
    ] {
        all.skill(
            folder,
            &format!("name: {folder}\ndescription: Has a field.\n{field}"),
        );
    }
    for (folder, policy) in [
        (
            "policy-false",
            "policy:\n  allow_implicit_invocation: false\n",
        ),
        (
            "policy-true",
            "policy:\n  allow_implicit_invocation: true\n",
        ),
        (
            "policy-text",
            "policy:\n  allow_implicit_invocation: \"false\"\n",
        ),
        ("policy-no", "policy:\n  allow_implicit_invocation: no\n"),
        ("policy-broken", "policy: [\n"),
        ("policy-empty", ""),
        ("policy-product", "policy:\n  products: [chatgpt]\n"),
        (
            "policy-other",
            "policy:\n  allow_implicit_invocation: false\n  products: [Codex]\n",
        ),
        (
            "policy-twice",
            "policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: A\n  display_name: B\n",
        ),
        (
            "policy-scalar",
            "policy:\n  allow_implicit_invocation: false\ndependencies: x\n",
        ),
        (
            "policy-null",
            "policy:\n  allow_implicit_invocation: false\ndependencies: {tools: null}\n",
        ),
        (
            "policy-tool",
            "policy:\n  allow_implicit_invocation: false\ndependencies: {tools: [docs]}\n",
        ),
        (
            "policy-others-twice",
            "policy:\n  allow_implicit_invocation: false\nother: 1\nother: 2\n",
        ),
        (
            "interface",
            "interface:\n  display_name: A name\n  short_description: Shorter.\n",
        ),
    ] {
        all.plain(folder, "Has agents/openai.yaml.");
        all.file(&format!("{folder}/agents/openai.yaml"), policy);
    }
    all.plain("policy-capitals", "Has agents/OpenAI.yaml.");
    all.file(
        "policy-capitals/agents/OpenAI.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    all.plain("policy-yml", "Has agents/openai.yml.");
    all.file(
        "policy-yml/agents/openai.yml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    all
}

/// Characters that markup, terminals and line breaks give a meaning.
fn markup() -> Folder {
    let mut all = Folder::new("markup");
    all.plain("angles", "'Reads <b> and </skill> and 1 < 2 > 0.'");
    all.plain("ampersand", "'Reads &amp; and & and &lt;.'");
    all.plain("quotes", "Reads \"double\" and 'single' and `back` quotes.");
    all.plain(
        "braces",
        "'Reads {name} and ${NAME} and $ARGUMENTS and !`date`.'",
    );
    all.plain("backslash", "'Reads \\n and \\\\ and C:\\dir.'");
    all.plain("feeds", "\"Reads\\none\\r\\ntwo\\rthree\\n\\nfour\"");
    all.plain(
        "tabs",
        "\"Reads\\ta tab \\u00a0 a hard space \\u2003 a wide space.\"",
    );
    all.plain(
        "controls",
        "\"Reads \\u0007 a bell \\e[31m red \\u200b no width \\u202e turned.\"",
    );
    all.plain(
        "separators",
        "\"Reads \\u2028 a line \\u2029 a paragraph \\u0085 a next line \\f a form.\"",
    );
    all.plain("marks", "'# Reads **bold** - a list: `- x`'");
    all.plain("around", "\"  spaces around  \"");
    all.plain("last", "\"ends with a feed\\n\"");
    all.plain("pairs", "\"Reads \\ud83d\\ude00 by halves.\"");
    all
}

/// Files that are not written as most are.
fn format() -> Folder {
    let mut all = Folder::new("format");
    fences(&mut all);
    values(&mut all);
    all.file(
        "body-long/SKILL.md",
        &format!("---\nname: body-long\n---\n\n## {}\n", words(1, 140)),
    );
    all.file(
        "lower/skill.md",
        "---\nname: lower\ndescription: The file's name is in lower case.\n---\nDo it.\n",
    );
    all.file(
        "flat.md",
        "---\nname: flat\ndescription: A file beside the folders.\n---\nDo it.\n",
    );
    all.file(
        "readme/README.md",
        "---\nname: readme\ndescription: Another file's name.\n---\nDo it.\n",
    );
    all
}

/// Front matter that begins and ends in other ways.
fn fences(all: &mut Folder) {
    let crlf = "---\r\nname: crlf\r\ndescription: Lines end with CR LF.\r\n---\r\nDo it.\r\n";
    all.file("crlf/SKILL.md", crlf);
    all.file(
        "blank/SKILL.md",
        "\n---\nname: blank\ndescription: A blank line comes first.\n---\nDo it.\n",
    );
    all.file(
        "space/SKILL.md",
        " ---\nname: space\ndescription: A space comes first.\n---\nDo it.\n",
    );
    all.file(
        "mark/SKILL.md",
        "\u{feff}---\nname: mark\ndescription: A byte order mark comes first.\n---\nDo it.\n",
    );
    all.file(
        "trailing/SKILL.md",
        "---  \nname: trailing\ndescription: Spaces after the fences.\n---  \nDo it.\n",
    );
    all.file(
        "four/SKILL.md",
        "----\nname: four\ndescription: Four dashes.\n----\nDo it.\n",
    );
    all.file(
        "dots/SKILL.md",
        "---\nname: dots\ndescription: Three dots end it.\n...\nDo it.\n",
    );
    all.file(
        "open/SKILL.md",
        "---\nname: open\ndescription: Nothing ends it.\n",
    );
    all.file(
        "no-body/SKILL.md",
        "---\nname: no-body\ndescription: There is no body.\n---",
    );
    all.file(
        "none/SKILL.md",
        "# A title\n\nA first paragraph without front matter.\n",
    );
    all.file("empty/SKILL.md", "");
    all.file("empty-front/SKILL.md", "---\n---\nOnly a body.\n");
    all.file(
        "dashes/SKILL.md",
        "---\nname: dashes\ndescription: Reads a --- b.\n---\nDo it.\n",
    );
    all.file(
        "block-dashes/SKILL.md",
        "---\nname: block-dashes\ndescription: |\n  Before.\n  ---\n  After.\n---\nDo it.\n",
    );
    all.file(
        "quoted-dashes/SKILL.md",
        "---\nname: quoted-dashes\ndescription: \"Before\n  --- after\"\n---\nDo it.\n",
    );
}

/// Values that are not YAML, or that programs read differently.
fn values(all: &mut Folder) {
    all.skill(
        "colon",
        "name: colon\ndescription: Use it when: a colon breaks YAML.",
    );
    all.skill("hash", "name: hash\ndescription: Reads a # comment.");
    all.skill("star", "name: star\ndescription: *Reads* a star.");
    all.skill(
        "anchor",
        "name: anchor\ndescription: &d Text after an anchor.",
    );
    all.skill("at", "name: at\ndescription: @reads an at sign.");
    all.skill(
        "backtick",
        "name: backtick\ndescription: `reads` backticks.",
    );
    all.skill(
        "percent",
        "name: percent\ndescription: %reads a percent sign.",
    );
    all.skill("bracket", "name: bracket\ndescription: [reads] a bracket.");
    all.skill("brace", "name: brace\ndescription: {reads} a brace.");
    all.skill(
        "open-quote",
        "name: open-quote\ndescription: \"reads an open quote.",
    );
    all.skill(
        "half-quote",
        "name: half-quote\ndescription: \"reads\" a quoted word.",
    );
    all.skill(
        "hint",
        "name: hint\ndescription: Has a hint.\nargument-hint: [file] [mode]",
    );
    all.skill(
        "hint-list",
        "name: hint-list\ndescription: Has a hint.\nargument-hint: [file]",
    );
    all.skill(
        "tools-list",
        "name: tools-list\ndescription: Has tools.\nallowed-tools: [Read, Bash]",
    );
    all.skill(
        "tools-comma",
        "name: tools-comma\ndescription: Has tools.\nallowed-tools: Read, Bash(git *)",
    );
    all.skill(
        "tab",
        "name: tab\ndescription: Has a tab.\nmetadata:\n\tauthor: A",
    );
    all.skill(
        "twice",
        "name: twice\ndescription: The first.\ndescription: The second.",
    );
    all.skill(
        "comment",
        "# a comment\nname: comment # after\ndescription: Has comments. # after",
    );
    all.skill(
        "capital-key",
        "Name: capital-key\nDescription: Capital keys.",
    );
    all.skill("list", "- name: list\n- description: A list.");
    all.skill(
        "unknown",
        "name: unknown\ndescription: Has unknown fields.\nfoo: {a: [1, 2]}\nbar: 3",
    );
    all.skill("model", "name: model\ndescription: Has known fields of wrong types.\nmodel: [a]\neffort: 7\nhooks: none");
    all.skill(
        "metadata-text",
        "name: metadata-text\ndescription: Metadata is text.\nmetadata: none",
    );
}

/// Parts of YAML that few people write, numbers of YAML 1.1, and marks around the front matter.
fn yaml() -> Folder {
    let mut all = Folder::new("yaml");
    for (folder, front) in [
        ("alias", "x: &a Text.\nname: alias\ndescription: *a"),
        (
            "merge",
            "x: &a {description: By merge.}\nname: merge\n<<: *a",
        ),
        ("tag", "name: tag\ndescription: !foo Text."),
        ("tag-str", "name: tag-str\ndescription: !!str 123"),
        ("comma", "name: comma\ndescription: , A comma."),
        ("bell", "name: bell\ndescription: Bell \u{7}."),
        ("delete", "name: delete\ndescription: Del \u{7f}."),
        ("half", "name: half\ndescription: \"Half \\ud83d.\""),
        ("keep", "name: keep\ndescription: |+\n  Keep.\n\n"),
        (
            "inner-twice",
            "name: inner-twice\ndescription: Twice.\nmetadata:\n  a: 1\n  a: 2",
        ),
        (
            "tab-key",
            "name: tab-key\ndescription: A tab.\n\tlicense: MIT",
        ),
        ("hex", "name: hex\ndescription: 0x1F"),
        ("octal", "name: octal\ndescription: 0o17"),
        ("bits", "name: bits\ndescription: 0b11"),
        ("score", "name: score\ndescription: 1_000"),
        ("clock", "name: clock\ndescription: 1:30"),
        ("endless", "name: endless\ndescription: -.inf"),
        ("point", "name: point\ndescription: -.5"),
        ("minutes", "name: minutes\ndescription: 2026-01-02 10:00"),
        ("08", "name: 08\ndescription: Digits."),
        ("0b1", "name: 0b1\ndescription: Bits."),
        ("TRUE", "name: TRUE\ndescription: TRUE"),
    ] {
        all.skill(folder, front);
    }
    for (name, open, close) in [
        ("tab-open", "---\t", "---"),
        ("word-open", "--- # c", "---"),
        ("close-indent", "---", "  ---"),
        ("close-four", "---", "----"),
        ("close-word", "---", "--- # c"),
    ] {
        let text = format!("{open}\nname: {name}\ndescription: Marks.\n{close}\nDo it.\n");
        all.file(&format!("{name}/SKILL.md"), &text);
    }
    all.skill("amp&'s", "name: amp\ndescription: And.");
    all.skill("line\nfeed", "name: line-feed\ndescription: Two lines.");
    let body = "word ".repeat(210_000);
    for (name, length) in [("whole", 1_000_000), ("large", 1_000_001)] {
        let text = format!("---\nname: {name}\ndescription: Long.\n---\n{body}");
        let text = text.get(..length).unwrap_or_default();
        all.file(&format!("{name}/SKILL.md"), text);
    }
    all
}

/// Values of `paths`, `disable-model-invocation` and `metadata.short-description`.
fn fields() -> Folder {
    let mut all = Folder::new("fields");
    for (number, paths) in [
        "[]",
        "\"\"",
        "~",
        "\"**\"",
        "\"**/*\"",
        "\"*\"",
        "[\"**\"]",
        "[\"**\", \"src/*\"]",
        "\"./**\"",
        "\"/**\"",
        "\"src/**\"",
        "[[a]]",
        "{a: b}",
        "\"**/**\"",
        "5",
        "true",
        "\" \"",
        "[\"src/**\", \"\"]",
        "\"***\"",
        "\"{**,**/**}\"",
    ]
    .iter()
    .enumerate()
    {
        let folder = format!("p{number:02}");
        let front = format!("name: {folder}\ndescription: Paths.\npaths: {paths}");
        all.skill(&folder, &front);
    }
    for (number, value) in [
        "01",
        "1.0",
        "\"true \"",
        "|\n  true",
        "\"TRUE\"",
        "!!str true",
        "[true]",
        "t",
        "enabled",
        "2",
        "y",
        "0x1",
    ]
    .iter()
    .enumerate()
    {
        let folder = format!("m{number:02}");
        let front =
            format!("name: {folder}\ndescription: Model.\ndisable-model-invocation: {value}");
        all.skill(&folder, &front);
    }
    let (long, longer) = ("s".repeat(1025), "s".repeat(5000));
    for (number, short) in [
        "[a]",
        "{a: b}",
        "5",
        "~",
        "\"\"",
        &long,
        &longer,
        "a\n  short-description: b",
    ]
    .iter()
    .enumerate()
    {
        let folder = format!("s{number:02}");
        let front =
            format!("name: {folder}\ndescription: Short.\nmetadata:\n  short-description: {short}");
        all.skill(&folder, &front);
    }
    all.plain("alias", "Has agents/openai.yaml.");
    let policy = "x: &f false\npolicy:\n  allow_implicit_invocation: *f\n";
    all.file("alias/agents/openai.yaml", policy);
    all
}

/// Skills at other depths than one.
fn nested() -> Folder {
    let mut all = Folder::new("nested");
    all.file(
        "SKILL.md",
        "---\nname: root\ndescription: At the root.\n---\nDo it.\n",
    );
    let mut folder = String::from("one");
    all.skill(&folder, "name: depth-1\ndescription: At depth 1.");
    let deeper = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    for (depth, name) in (2..).zip(deeper) {
        folder += "/";
        folder += name;
        all.skill(
            &folder,
            &format!("name: depth-{depth}\ndescription: At depth {depth}."),
        );
    }
    all.skill("group/inner", "name: inner\ndescription: In a group.");
    all.skill("group/other", "name: other\ndescription: In a group.");
    all.skill(".hidden", "name: hidden\ndescription: In a hidden folder.");
    all.skill(
        "shown/.hidden",
        "name: shown-hidden\ndescription: In a hidden folder below.",
    );
    all.skill(
        "node_modules/pack",
        "name: pack\ndescription: In a folder of packages.",
    );
    all.skill(
        "_under",
        "name: under\ndescription: In a folder with an underscore.",
    );
    all.skill(
        "with space",
        "name: with-space\ndescription: In a folder with a space.",
    );
    all.skill(
        "skills/again",
        "name: again\ndescription: In a folder named skills.",
    );
    all.skill("synced", "name: synced\ndescription: In a reserved folder.");
    all.file("file/sub/notes.md", "Notes.\n");
    all
}

/// Links to files and folders.
fn links() -> Folder {
    let mut all = Folder::new("links");
    all.plain("real", "A folder.");
    all.skill("../elsewhere/far", "name: far\ndescription: Outside.");
    all.skill(
        "../elsewhere/deep/down",
        "name: down\ndescription: Outside and deep.",
    );
    all.file(
        "../elsewhere/loose.md",
        "---\nname: loose\ndescription: A file outside.\n---\nDo it.\n",
    );
    all.file("by-file/notes.md", "Notes.\n");
    all.links = vec![
        ("far", "../elsewhere/far"),
        ("deep", "../elsewhere/deep"),
        ("by-file/SKILL.md", "../../elsewhere/loose.md"),
        ("broken", "missing"),
    ];
    all
}

/// More descriptions than fit, all of one length.
fn many() -> Folder {
    let mut all = Folder::new("many");
    for number in 1..=160 {
        all.plain(&format!("many-{number:03}"), &words(number, 180));
    }
    all
}

/// More names than fit.
fn crowd() -> Folder {
    let mut all = Folder::new("crowd");
    for number in 1..=600 {
        all.plain(&format!("crowd-{number:03}"), &words(number, 60));
    }
    all
}

/// Characters that are wide, without width or of several units, more than fit.
fn wide() -> Folder {
    let mut all = Folder::new("wide");
    let texts = [
        ("han", "整理桌面上的所有文件并按照日期排序。"),
        ("kana", "デスクのファイルを日付順に並べ替えます。ﾊﾝｶｸ"),
        ("hangul", "책상 위의 모든 파일을 날짜순으로 정리합니다."),
        ("emoji", "Sorts 😀👍🏽👨‍👩‍👧‍👦🇩🇪❤️✈ files."),
        (
            "marks",
            "Sorts e\u{301}a\u{308}o\u{302}\u{323} files with marks.",
        ),
        ("full", "Ｓｏｒｔｓ　ｆｉｌｅｓ。"),
        ("greek", "Ταξινομεί τα αρχεία κατά ημερομηνία."),
        ("cyrillic", "Сортирует файлы по дате."),
        ("thai", "จัดเรียงไฟล์ตามวันที่"),
        ("symbols", "Sorts – … “files” • → ★ ½ § ± × ÷."),
        ("rare", "Sorts 𝒜𝓁𝓁 𠀀𠀁𠀂 files."),
        ("arabic", "يرتب الملفات حسب التاريخ."),
    ];
    for number in 0..60 {
        let (name, text) = texts[number % texts.len()];
        let text = text.repeat(3 + number % 4);
        all.plain(&format!("w-{number:02}-{name}"), &text);
    }
    all
}

/// Descriptions near and over the limits of one entry.
fn long() -> Folder {
    let mut all = Folder::new("long");
    for length in [1023, 1024, 1025, 1026, 1535, 1536, 1537, 1538, 3000] {
        all.plain(
            &format!("chars-{length}"),
            &words(length, length - 1)
                .chars()
                .chain(['.'])
                .collect::<String>(),
        );
    }
    all.plain("wide-800", &"界".repeat(800));
    all.plain("wide-1100", &"界".repeat(1100));
    all.plain("emoji-770", &"😀".repeat(770));
    all.skill(
        "when-long",
        &format!(
            "name: when-long\ndescription: {}\nwhen_to_use: {}",
            words(1, 1000),
            words(2, 700)
        ),
    );
    all.skill(
        "when-short",
        &format!(
            "name: when-short\ndescription: {}\nwhen_to_use: {}",
            words(3, 1530),
            words(4, 30)
        ),
    );
    all.plain("spaces", &format!("\"{}\"", "a  ".repeat(600)));
    all
}

/// Long names of folders, in many groups.
fn paths() -> Folder {
    let mut all = Folder::new("paths");
    for group in 1..=6 {
        for number in 1..=10 {
            let folder = format!(
                "group-{group}-{}/skill-{number}-{}",
                "g".repeat(60),
                "s".repeat(90)
            );
            all.skill(
                &folder,
                &format!(
                    "name: path-{group}-{number:02}\ndescription: {}",
                    words(number, 150)
                ),
            );
        }
    }
    for number in 1..=20 {
        let folder = format!("flat-{number:02}-{}", "f".repeat(120));
        all.skill(
            &folder,
            &format!(
                "name: flat-{number:02}\ndescription: {}",
                words(number, 150)
            ),
        );
    }
    all
}

/// Long and short descriptions in turn, more than fit.
fn uneven() -> Folder {
    let mut all = Folder::new("uneven");
    for number in 1..=80 {
        let length = [20, 400, 90, 900, 45, 210, 1020][number % 7] + number;
        all.plain(&format!("uneven-{number:02}"), &words(number, length));
    }
    all
}
