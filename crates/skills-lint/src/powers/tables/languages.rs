//! Interpreters, extensions and info strings.

/// Shells of POSIX, whose code is read.
pub(in crate::powers) const POSIX_SHELLS: &str = "bash sh zsh dash ksh ash";

/// Other programs that run a file or a text of code.
pub(in crate::powers) const INTERPRETERS: &str = "\
    fish pwsh powershell cmd python python3 python2 pypy3 node deno bun tsx ts-node ruby perl php lua Rscript R julia \
    osascript awk gawk tclsh swift groovy elixir uv";

/// Extensions of scripts and sources.
pub(in crate::powers) const EXTENSIONS: &str = "\
    sh bash zsh fish bat cmd ps1 psm1 py pyw ipynb js mjs cjs ts mts tsx jsx html htm vue svelte svg rb pl pm php lua \
    r jl go rs java kt dart swift c cpp cs scpt vbs ex exs awk mk tf sql";

/// Info strings of code blocks that a POSIX shell reads.
pub(in crate::powers) const SHELLS: &str =
    "sh bash shell zsh console terminal shell-session sh-session ksh command commandline cli";
/// Those of them whose lines are output, but for those after a prompt.
pub(in crate::powers) const SESSIONS: &str = "console terminal shell-session sh-session";
/// Info strings of blocks that hold no code. A block in any other language is not read: its digest is the power.
pub(in crate::powers) const DATA: &str = "text txt plain plaintext output log none toml ini properties xml css csv tsv diff patch \
    mermaid plantuml dot d2 math latex tex bibtex regex http gitignore gherkin ascii template prompt example";
