//! The packages that a command fetches.

use crate::powers::reader::Reader;
use crate::powers::tables::has;
use crate::powers::word::{Word, positional, values};
use skills_permit::PowerKind;
use skills_permit::power::cover::ANY_VERSION;

/// Programs that run one package: the first name is the package, and the other words are its arguments. Each row has the
/// programs, their sub-commands (none if the program itself fetches), and the registry as the power names it.
const RUNNERS: [(&str, &str, &str); 10] = [
    ("npx bunx pnpx", "", "npm"),
    ("uvx", "", "pip"),
    ("pnpm yarn", "dlx exec", "npm"),
    ("npm bun", "exec x init create", "npm"),
    ("pipx", "run", "pip"),
    ("uv", "tool run", "pip"),
    ("deno", "run", "deno"),
    ("nix", "run shell", "nix"),
    ("go", "run", "go"),
    ("docker podman", "run pull", "docker"),
];

/// Programs of which all names are packages.
const INSTALLERS: [(&str, &str, &str); 18] = [
    ("npm pnpm yarn bun", "install i add ci update global", "npm"),
    ("pip pip3", "install download", "pip"),
    ("pipx", "install inject", "pip"),
    ("uv poetry", "add pip tool", "pip"),
    ("conda mamba", "install create", "conda"),
    ("cargo", "install add binstall", "cargo"),
    ("brew", "install tap upgrade", "brew"),
    ("apt apt-get", "install", "apt"),
    ("apk", "add", "apk"),
    ("dnf", "install", "dnf"),
    ("yum", "install", "yum"),
    ("pacman", "-S -Sy -Syu", "pacman"),
    ("snap", "install", "snap"),
    ("gem", "install", "gem"),
    ("go", "install get", "go"),
    ("choco winget scoop", "install", "windows"),
    ("composer", "require", "composer"),
    ("dotnet", "add tool", "nuget"),
];

/// Adds the packages of a command. Returns whether the program only runs a package, so that it is not a command of its
/// own.
pub(super) fn read(program: &str, rest: &[Word], line: usize, reader: &mut Reader) -> bool {
    if program.starts_with("python")
        && let [option, module, rest @ ..] = rest
        && option.text == "-m"
        && has("pip pip3 pipx uv", &module.text)
    {
        return read(&module.text, rest, line, reader);
    }
    let words = positional(program, rest);
    let first = words.first().map_or("", |word| word.text.as_str());
    let option = rest.first().map_or("", |word| word.text.as_str());
    let second = words.get(1).map_or("", |word| word.text.as_str());
    let is_fetcher = |(programs, subcommands, _): &&(&str, &str, &str)| {
        let subcommand = if program == "pacman" { option } else { first };
        has(programs, program)
            && (subcommands.is_empty() || has(subcommands, subcommand))
            // `uv pip list` fetches nothing.
            && (first != "pip" || second == "install")
    };
    let runner = RUNNERS.iter().find(is_fetcher);
    let Some((_, subcommands, registry)) = runner.or_else(|| INSTALLERS.iter().find(is_fetcher))
    else {
        return false;
    };
    let skipped = match (program, first) {
        ("uv", "pip" | "tool") | ("dotnet", "add" | "tool") | ("yarn", "global") => 2,
        _ => usize::from(!subcommands.is_empty() && program != "pacman"),
    };
    let source = source(rest);
    let option = match program {
        _ if *registry == "npm" => "-p --package",
        "uvx" => "--from --with",
        "uv" => "--with",
        _ if *registry == "pip" => "-r --requirement",
        _ => "",
    };
    for (option, value) in values(rest, option) {
        let list = if option.starts_with("-r") { "-r " } else { "" };
        add(registry, &format!("{list}{value}"), &source, line, reader);
    }
    let has_package = values(rest, "-p --package --from").next().is_some();
    let most = match runner {
        Some(_) => usize::from(!has_package),
        None => usize::MAX,
    };
    let is_package = |word: &&&Word| {
        let word = word.text.as_str();
        let is_other = word.starts_with(['<', '{', '&', '|', '>', '-']) || word == "...";
        // `uv run "$S/x.py"` runs a script.
        let is_script = |(_, end)| has(subcommands, "run") && has("py js mjs ts go", end);
        let is_file = !word.contains(':') && word.rsplit_once('.').is_some_and(is_script);
        !is_other && !has(&source, word) && !is_file
    };
    // The words after the one that is run are its arguments.
    let packages = words.iter().skip(skipped).take(most).filter(is_package);
    for word in packages {
        add(registry, &word.text, &source, line, reader);
    }
    for (_, code) in values(rest, "-c --call").filter(|_| *registry == "npm") {
        reader.shell(code.to_owned(), line);
    }
    if !subcommands.is_empty() {
        return false;
    }
    // `npx supergateway npx other`: a package that runs another runner.
    let runs = |word: &Word| has("npx uvx bunx", &word.text);
    if let Some(at) = rest.iter().position(runs) {
        read(&rest[at].text, &rest[at + 1..], line, reader);
    }
    true
}

/// Returns the options that choose another source for all packages of a command: ` --index-url https://a.org`.
fn source(rest: &[Word]) -> String {
    const OPTIONS: &str = "--registry --index-url -i --extra-index-url --index --default-index --find-links -f --source --repo --repository \
                           --channel -c --git --path --proxy --trusted-host --no-index --flake";
    // `--@scope:registry=URL` is an option of npm for the packages of one scope.
    let scoped = rest.iter().filter(|word| word.text.contains(":registry"));
    let scoped = scoped.map(|word| format!(" {}", word.text));
    let all = values(rest, OPTIONS).map(|(option, value)| format!(" {option} {value}"));
    all.chain(scoped).collect()
}

/// Adds a package with what chooses its source, and with its version if the version is fixed.
pub(super) fn add(registry: &str, package: &str, source: &str, line: usize, reader: &mut Reader) {
    let package = package
        .trim_matches(['"', '\''])
        .trim_end_matches([',', ';', '.']);
    let is_name = package.starts_with(|c: char| c.is_ascii_alphanumeric() || "@$-./~".contains(c))
        && !matches!(package, "." | "./" | "-" | "/");
    if package.is_empty() || !is_name {
        return;
    }
    let text = power(registry, package) + source;
    reader.add(PowerKind::Packages, text, line);
}

fn power(registry: &str, package: &str) -> String {
    // `foo@npm:evil`, `foo@github:a/b`, `file:x`, `./x` and addresses choose another source than the registry.
    let chooses = package.split(':').count() > 1 || package.starts_with(['.', '/', '~']);
    if package.starts_with("-r ") || chooses && registry != "docker" {
        return format!("{registry} {package}");
    }
    let (scope, name) = match package.strip_prefix('@') {
        Some(name) => ("@", name),
        None => ("", package),
    };
    let cut = match registry {
        "pip" | "conda" => name.find(['=', '<', '>', '~', '!', ';', '@']),
        "docker" => name
            .rfind(':')
            .filter(|at| !name.get(*at..).unwrap_or_default().contains('/'))
            .or(name.find('@')),
        _ => name.find(['@']),
    };
    let (name, version) = name.split_at(cut.unwrap_or(name.len()));
    let name = name.split('[').next().unwrap_or(name);
    if is_fixed(registry, version) {
        format!("{registry} {scope}{name}{version}")
    } else {
        format!("{registry} {scope}{name}{ANY_VERSION}")
    }
}

/// Returns whether a version is one version: `@1.2.3`, `==1.2`, `:1.2`, `@sha256:…`.
fn is_fixed(registry: &str, version: &str) -> bool {
    let number = match registry {
        "pip" => version.strip_prefix("=="),
        "conda" => version
            .strip_prefix("==")
            .or_else(|| version.strip_prefix('=')),
        "docker" => version
            .strip_prefix("@sha256:")
            .or_else(|| version.strip_prefix(':')),
        _ => version.strip_prefix('@'),
    };
    number.is_some_and(|number| {
        number.chars().any(|c| c.is_ascii_digit())
            && !number.contains(['*', '^', '~', '>', '<', '$', '|', ' ', '{'])
            && !number.to_ascii_lowercase().contains("latest")
            && (registry == "docker" || number.contains('.') || number.len() >= 7)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for (registry, package, expected) in [
            ("npm", "prettier", "npm prettier (any version)"),
            ("npm", "@a/b@1.2.3", "npm @a/b@1.2.3"),
            ("npm", "a@latest", "npm a (any version)"),
            ("npm", "a@^1.2.3", "npm a (any version)"),
            ("npm", "a@1", "npm a (any version)"),
            ("pip", "a[x]==1.2", "pip a==1.2"),
            ("pip", "a>=1", "pip a (any version)"),
            ("docker", "a/b:1.2", "docker a/b:1.2"),
            ("docker", "a/b:latest", "docker a/b (any version)"),
            ("docker", "r.io:5000/a", "docker r.io:5000/a (any version)"),
            ("pip", "git+https://a.org/x", "pip git+https://a.org/x"),
            ("npm", "foo@npm:evil", "npm foo@npm:evil"),
            ("npm", "foo@github:a/b", "npm foo@github:a/b"),
            ("npm", "file:x", "npm file:x"),
            ("npm", "./x", "npm ./x"),
        ] {
            assert_eq!(power(registry, package), expected);
        }
    }
}
