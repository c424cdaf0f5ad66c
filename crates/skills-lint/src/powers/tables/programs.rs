//! Programs, their sub-commands and the commands that start other commands.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns whether a word is one of [`PROGRAMS`]. The first word of each line is looked up.
pub(in crate::powers) fn is_known(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> =
        LazyLock::new(|| PROGRAMS.split_ascii_whitespace().collect());
    KNOWN.contains(word)
}

/// Programs that are recognized in text without a language. In code of a shell every first word is a program.
const PROGRAMS: &str = "\
    git gh glab hub hg svn jj curl wget http https xh aria2c httpie nc ncat netcat socat telnet ssh scp sftp rsync ftp \
    lftp mosh ping dig nslookup drill whois nmap openssl gpg age ssh-keygen ssh-add security keychain pass op vault \
    npm npx pnpm yarn bun bunx node deno tsx ts-node tsc eslint prettier jest vitest playwright \
    python python3 pip pip3 pipx uv uvx poetry conda mamba pytest ruff black mypy jupyter \
    cargo rustc rustup go gofmt java javac mvn gradle kotlinc scala sbt dotnet swift swiftc xcodebuild xcrun \
    ruby gem bundle rails rake perl php composer lua Rscript julia ghc cabal stack elixir mix erl \
    bash sh zsh fish dash ksh pwsh powershell cmd osascript \
    docker docker-compose podman kubectl helm k9s minikube kind terraform tofu pulumi ansible ansible-playbook packer \
    aws gcloud gsutil bq az doctl fly flyctl heroku vercel netlify wrangler supabase firebase railway stripe \
    make cmake ninja just task bazel meson gcc g++ clang \
    brew apt apt-get apk dnf yum pacman snap flatpak choco winget scoop port nix nix-shell nix-env \
    sudo doas su chmod chown chgrp rm rmdir mv cp ln dd mkfs mount umount kill killall pkill crontab at systemctl \
    service launchctl defaults plutil open xdg-open pbcopy pbpaste xclip tee sed awk grep rg find fd xargs parallel \
    jq yq tar zip unzip gzip gunzip base64 base32 xxd od hexdump uuencode iconv \
    ffmpeg ffprobe imagemagick convert magick pandoc soffice libreoffice pdftotext pdftoppm qpdf tesseract \
    psql mysql sqlite3 mongosh mongo redis-cli pg_dump mysqldump clickhouse duckdb \
    tmux screen nohup env printenv eval source exec cat head tail ls mkdir touch diff patch wc sort cut tr uniq stat \
    printf-to ps top htop lsof netstat ss ip ifconfig hostname uname whoami id history sendmail mail mutt \
    claude codex gemini opencode skills cursor copilot ollama llm aider shred \
    iex irm iwr Invoke-WebRequest Invoke-RestMethod Invoke-Expression Start-Process Remove-Item certutil bitsadmin \
    schtasks rundll32 mshta wscript cscript";

/// Programs that are also words of English, or too common as words: at the beginning of a line they need an option or a path.
pub(in crate::powers) const WORDS: &str = "\
    make just task open convert patch mail at find head tail sort cut port service security cat who source exec \
    diff stat stack kind history stripe cursor copilot fly mix pass screen top touch go stash watch id tee split \
    rails node ruby swift magick black http https claude codex gemini skills bundle print ghc drill age hub ip ss \
    railway snap packer mount reg task env eval defaults uniq times cmd kind parallel";

/// Words of a shell that are not programs.
pub(in crate::powers) const BUILTINS: &str = "\
    cd echo printf export set unset local return exit test [ [[ ]] ] true false : read shift trap wait declare typeset let \
    type pushd popd dirs alias unalias break continue readonly hash ulimit umask getopts jobs fg bg disown shopt \
    mapfile readarray complete compgen in esac fi done } ) { ;; function select setlocal endlocal rem REM goto \
    setopt autoload bind caller enable help logout suspend times builtin-help then else do";

/// Programs whose sub-command says what is done, with the number of words of the sub-command.
pub(in crate::powers) const SUBCOMMANDS: &[(&str, usize)] = &[
    ("git", 1),
    ("gh", 2),
    ("glab", 2),
    ("hg", 1),
    ("svn", 1),
    ("jj", 1),
    ("npm", 1),
    ("pnpm", 1),
    ("yarn", 1),
    ("bun", 1),
    ("deno", 1),
    ("docker", 1),
    ("podman", 1),
    ("docker-compose", 1),
    ("kubectl", 1),
    ("helm", 1),
    ("cargo", 1),
    ("pip", 1),
    ("pip3", 1),
    ("uv", 1),
    ("poetry", 1),
    ("conda", 1),
    ("pipx", 1),
    ("brew", 1),
    ("apt", 1),
    ("apt-get", 1),
    ("apk", 1),
    ("dnf", 1),
    ("yum", 1),
    ("gem", 1),
    ("go", 1),
    ("dotnet", 1),
    ("terraform", 1),
    ("tofu", 1),
    ("pulumi", 1),
    ("aws", 2),
    ("gcloud", 3),
    ("gsutil", 1),
    ("az", 2),
    ("systemctl", 1),
    ("launchctl", 1),
    ("make", 1),
    ("just", 1),
    ("vercel", 1),
    ("netlify", 1),
    ("fly", 1),
    ("flyctl", 1),
    ("heroku", 1),
    ("wrangler", 1),
    ("supabase", 1),
    ("firebase", 1),
    ("stripe", 1),
    ("claude", 1),
    ("codex", 1),
    ("openssl", 1),
    ("security", 1),
    ("mvn", 1),
    ("gradle", 1),
    ("bundle", 1),
    ("composer", 1),
    ("rustup", 1),
    ("nix", 1),
    ("vault", 1),
    ("op", 1),
    ("skills", 1),
    ("playwright", 1),
    ("doctl", 2),
    ("choco", 1),
    ("winget", 1),
    ("snap", 1),
    ("xcrun", 1),
    ("busybox", 1),
    ("rails", 1),
    ("mix", 1),
    ("railway", 1),
    ("ollama", 1),
];

/// Commands that start the command after them, and the number of their own words before it.
pub(in crate::powers) const WRAPPERS: &[(&str, usize)] = &[
    ("sudo", 0),
    ("doas", 0),
    ("nohup", 0),
    ("time", 0),
    ("exec", 0),
    ("command", 0),
    ("builtin", 0),
    ("nice", 0),
    ("ionice", 0),
    ("timeout", 1),
    ("gtimeout", 1),
    ("watch", 0),
    ("xargs", 0),
    ("parallel", 0),
    ("env", 0),
    ("stdbuf", 0),
    ("setsid", 0),
    ("caffeinate", 0),
    ("chroot", 1),
    ("unbuffer", 0),
    ("script", 0),
    ("strace", 0),
    ("flock", 1),
    ("proxychains", 0),
    ("start", 0),
    ("busybox", 0),
    ("wsl", 0),
    ("dotenv", 0),
    ("direnv", 0),
    ("coproc", 0),
    ("systemd-run", 0),
    ("noglob", 0),
    ("&", 0),
];

/// Wrappers that are a power by themselves.
pub(in crate::powers) const MIGHTY: &str = "sudo doas chroot systemd-run";

/// Programs whose arguments can be hosts without a scheme.
pub(in crate::powers) const REACHING: &str = "curl wget http https xh aria2c nc ncat netcat telnet ssh scp sftp rsync ftp lftp mosh ping dig \
    nslookup host drill whois nmap openssl socat git iwr irm Invoke-WebRequest Invoke-RestMethod";
/// Programs whose first argument is a host.
pub(in crate::powers) const FIRST_IS_HOST: &str =
    "ssh nc ncat netcat telnet ping sftp ftp whois nslookup host mosh";
