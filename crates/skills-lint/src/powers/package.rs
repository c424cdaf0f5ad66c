//! The packages that a command fetches.

use crate::powers::reader::Reader;
use crate::powers::tables::has;
use crate::powers::word::{Word, positional};
use skills_permit::PowerKind;
use skills_permit::power::cover::ANY_VERSION;

/// A command that fetches packages.
struct Fetcher {
    program: &'static str,
    /// The sub-commands; empty if the program itself fetches.
    subcommands: &'static str,
    /// The registry, as the power names it.
    registry: &'static str,
    /// True if only the first name is a package, and the other words are its arguments.
    runs: bool,
}

/// A program whose first name is a package that it runs, and the other words are the package's arguments.
const fn runner(
    program: &'static str,
    subcommands: &'static str,
    registry: &'static str,
) -> Fetcher {
    Fetcher {
        program,
        subcommands,
        registry,
        runs: true,
    }
}

/// A program whose names are all packages.
const fn installer(
    program: &'static str,
    subcommands: &'static str,
    registry: &'static str,
) -> Fetcher {
    Fetcher {
        runs: false,
        ..runner(program, subcommands, registry)
    }
}

const FETCHERS: [Fetcher; 44] = [
    runner("npx", "", "npm"),
    runner("bunx", "", "npm"),
    runner("pnpx", "", "npm"),
    runner("uvx", "", "pip"),
    runner("pnpm", "dlx exec", "npm"),
    runner("yarn", "dlx", "npm"),
    runner("npm", "exec x init create", "npm"),
    runner("bun", "x create", "npm"),
    runner("pipx", "run", "pip"),
    runner("uv", "tool run", "pip"),
    runner("deno", "run", "deno"),
    runner("nix", "run shell", "nix"),
    runner("go", "run", "go"),
    installer("npm", "install i add ci update", "npm"),
    installer("pnpm", "install i add", "npm"),
    installer("yarn", "add global", "npm"),
    installer("bun", "install i add", "npm"),
    installer("pip", "install download", "pip"),
    installer("pip3", "install download", "pip"),
    installer("pipx", "install inject", "pip"),
    installer("uv", "add", "pip"),
    installer("uv", "pip", "pip"),
    installer("uv", "tool", "pip"),
    installer("poetry", "add", "pip"),
    installer("conda", "install create", "conda"),
    installer("mamba", "install create", "conda"),
    installer("cargo", "install add binstall", "cargo"),
    installer("brew", "install tap upgrade", "brew"),
    installer("apt", "install", "apt"),
    installer("apt-get", "install", "apt"),
    installer("apk", "add", "apk"),
    installer("dnf", "install", "dnf"),
    installer("yum", "install", "yum"),
    installer("pacman", "-S -Sy -Syu", "pacman"),
    installer("snap", "install", "snap"),
    installer("gem", "install", "gem"),
    installer("go", "install get", "go"),
    installer("choco", "install", "choco"),
    installer("winget", "install", "winget"),
    installer("scoop", "install", "scoop"),
    runner("docker", "run pull", "docker"),
    runner("podman", "run pull", "docker"),
    installer("composer", "require", "composer"),
    installer("dotnet", "add tool", "nuget"),
];

/// Adds the packages of a command. Returns whether the program only runs a package, so that it is not a command of its
/// own.
pub(super) fn read(program: &str, rest: &[Word], line: usize, reader: &mut Reader) -> bool {
    if program.starts_with("python")
        && rest.first().is_some_and(|word| word.text == "-m")
        && rest.get(1).is_some_and(|word| word.text.starts_with("pip"))
    {
        return read("pip", rest.get(2..).unwrap_or_default(), line, reader);
    }
    let words = positional(program, rest);
    let first = words.first().map_or("", |word| word.text.as_str());
    let given = |word: &Word| !word.text.starts_with('-');
    let named = FETCHERS.iter().find(|it| {
        it.program == program
            && (it.subcommands.is_empty()
                || has(it.subcommands, first)
                    && !(it.registry == "pip"
                        && first == "pip"
                        && words.get(1).is_none_or(|word| word.text != "install"))
                || it.program == "pacman"
                    && rest
                        .first()
                        .is_some_and(|word| has(it.subcommands, &word.text)))
    });
    let Some(fetcher) = named else {
        return false;
    };
    let skipped = match (program, first) {
        ("uv", "pip" | "tool") | ("dotnet", "add" | "tool") | ("yarn", "global") => 2,
        _ => usize::from(!fetcher.subcommands.is_empty() && program != "pacman"),
    };
    let source = source(rest);
    for word in from_options(fetcher, rest) {
        add(fetcher.registry, &word, &source, line, reader);
    }
    let has_package = rest
        .iter()
        .any(|word| matches!(word.text.as_str(), "-p" | "--package" | "--from"));
    let is_source = |word: &Word| has(&source, &word.text);
    let packages = words.iter().skip(skipped);
    let packages = packages.filter(|word| given(word) && !is_source(word));
    let packages = packages.take(if fetcher.runs {
        usize::from(!has_package)
    } else {
        64
    });
    for word in packages {
        if word.text.starts_with(['<', '{', '&', '|', '>'])
            || word.text == "..."
            || word.text.is_empty()
        {
            continue;
        }
        add(fetcher.registry, &word.text, &source, line, reader);
    }
    if fetcher.runs && matches!(fetcher.registry, "npm" | "pip") && fetcher.subcommands.is_empty() {
        nested_server(&words, reader);
        return true;
    }
    false
}

/// `npx supergateway npx other`: a package that runs another runner.
fn nested_server(words: &[&Word], reader: &mut Reader) {
    for (at, word) in words.iter().enumerate().skip(1) {
        if matches!(word.text.as_str(), "npx" | "uvx" | "bunx") {
            let rest: Vec<Word> = words
                .iter()
                .skip(at + 1)
                .map(|word| (*word).clone())
                .collect();
            read(&word.text, &rest, word.line, reader);
        }
    }
}

fn from_options(fetcher: &Fetcher, rest: &[Word]) -> Vec<String> {
    let names = match (fetcher.program, fetcher.registry) {
        ("npx", _) => "-p --package",
        ("uvx", _) => "--from --with",
        ("uv", _) => "--with",
        (_, "pip") => "-r --requirement",
        _ => "",
    };
    let mut found = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        let (option, glued) = match word.text.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.text.as_str(), None),
        };
        if has(names, option) {
            let value = glued.or_else(|| rest.get(at + 1).map(|word| word.text.as_str()));
            let is_file = option.starts_with("-r");
            found.extend(value.map(|it| {
                if is_file {
                    format!("-r {it}")
                } else {
                    it.to_owned()
                }
            }));
        }
    }
    found
}

/// Returns the options that choose another source for all packages of a command: ` --index-url https://a.org`.
fn source(rest: &[Word]) -> String {
    const OPTIONS: &str = "--registry --index-url -i --extra-index-url --index --default-index --find-links -f --source --repo --repository \
                           --channel -c --git --path --proxy --trusted-host --no-index --flake";
    let mut found = String::new();
    for (at, word) in rest.iter().enumerate() {
        let (option, glued) = match word.text.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.text.as_str(), None),
        };
        // `--@scope:registry=URL` is an option of npm for the packages of one scope.
        if has(OPTIONS, option) || option.ends_with(":registry") {
            let value = glued.or_else(|| rest.get(at + 1).map(|word| word.text.as_str()));
            found.extend([" ", option, " ", value.unwrap_or_default()]);
        }
    }
    found
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
