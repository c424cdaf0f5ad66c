//! Programs, their sub-commands and the commands that start other commands.

use crate::powers::tables::has;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns whether a word is a known program. The first word of each line is looked up.
pub(in crate::powers) fn is_known(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        [OTHERS, WITH_SUBCOMMANDS]
            .into_iter()
            .flat_map(str::split_ascii_whitespace)
            .collect()
    });
    KNOWN.contains(word)
}

/// Programs whose first word after the options says what is done: their sub-command.
const WITH_SUBCOMMANDS: &str = "\
    gh glab aws az doctl gcloud git hg svn jj npm pnpm yarn bun deno docker podman docker-compose kubectl helm cargo \
    pip pip3 uv poetry conda pipx brew apt apt-get apk dnf yum gem go dotnet terraform tofu pulumi gsutil systemctl \
    launchctl make just vercel netlify fly flyctl heroku wrangler supabase firebase stripe claude codex openssl \
    security mvn gradle bundle composer rustup nix vault op skills playwright choco winget snap xcrun busybox rails \
    mix railway ollama";

/// Programs that are recognized in text without a language. In code of a shell every first word is a program.
const OTHERS: &str = "\
    hub curl wget http https xh aria2c httpie nc ncat netcat socat telnet ssh scp sftp rsync ftp lftp mosh ping dig \
    nslookup drill whois nmap gpg age ssh-keygen ssh-add keychain pass npx pnpx bunx node tsx ts-node tsc eslint prettier \
    jest vitest python python3 uvx mamba pytest ruff black mypy jupyter rustc gofmt java javac kotlinc scala sbt swift \
    swiftc xcodebuild ruby rake perl php lua Rscript julia ghc cabal stack elixir erl bash sh zsh fish dash ksh pwsh \
    powershell cmd osascript k9s minikube kind ansible ansible-playbook packer bq cmake ninja task bazel meson gcc g++ \
    clang pacman flatpak scoop port nix-shell nix-env sudo doas su chmod chown chgrp rm rmdir mv cp ln dd mkfs mount \
    umount kill killall pkill crontab at service defaults plutil open xdg-open pbcopy pbpaste xclip tee sed awk grep \
    rg find fd xargs parallel jq yq tar zip unzip gzip gunzip base64 base32 xxd od hexdump uuencode iconv ffmpeg \
    ffprobe imagemagick convert magick pandoc soffice libreoffice pdftotext pdftoppm qpdf tesseract psql mysql sqlite3 \
    mongosh mongo redis-cli pg_dump mysqldump clickhouse duckdb tmux screen nohup env printenv eval source exec cat \
    head tail ls mkdir touch diff patch wc sort cut tr uniq stat printf-to ps top htop lsof netstat ss ip ifconfig \
    hostname uname whoami id history sendmail mail mutt gemini opencode cursor copilot llm aider shred iex irm iwr \
    Invoke-WebRequest Invoke-RestMethod Invoke-Expression Start-Process Remove-Item certutil bitsadmin schtasks \
    rundll32 mshta wscript cscript";

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

/// Returns the number of words of the sub-command that says what a program does.
pub(in crate::powers) fn subcommand_words(program: &str) -> usize {
    match program {
        "gcloud" => 3,
        "gh" | "glab" | "aws" | "az" | "doctl" => 2,
        _ => usize::from(has(WITH_SUBCOMMANDS, program)),
    }
}

/// Commands that start the command after them.
pub(in crate::powers) const WRAPPERS: &str = "\
    sudo doas nohup time exec command builtin nice ionice timeout gtimeout watch xargs parallel env stdbuf setsid \
    caffeinate chroot unbuffer script strace flock proxychains start busybox wsl dotenv direnv coproc systemd-run \
    noglob &";

/// Wrappers with a word of their own before the command: `timeout 5 git push`.
pub(in crate::powers) const WITH_WORD: &str = "timeout gtimeout chroot flock";

/// Wrappers that are a power by themselves.
pub(in crate::powers) const MIGHTY: &str = "sudo doas chroot systemd-run";

/// Programs whose arguments can be hosts without a scheme.
pub(in crate::powers) const REACHING: &str = "curl wget http https xh aria2c nc ncat netcat telnet ssh scp sftp rsync ftp lftp mosh ping dig \
    nslookup host drill whois nmap openssl socat git iwr irm Invoke-WebRequest Invoke-RestMethod";
/// Programs whose first argument is a host.
pub(in crate::powers) const FIRST_IS_HOST: &str =
    "ssh nc ncat netcat telnet ping sftp ftp whois nslookup host mosh";
