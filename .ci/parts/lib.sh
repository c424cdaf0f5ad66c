# Sourced by the steps: they run at the root of the repository, and a command that fails ends them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Ends the step with the reason why nothing more is tried here, which is not a failure.
skip() {
    echo "$1"
    exit 0
}

has() { command -v "$1" >/dev/null; }

# debian COMMAND PACKAGE…: installs the packages of Debian if there is no such command.
debian() {
    has "$1" || ! has apt-get ||
        apt-get install --yes --quiet --no-install-recommends "${@:2}" >/dev/null 2>&1 || true
}

# in_chromium WHAT FILE…: runs tests of node in Chromium, with playwright-core and axe-core from the npm registry (below
# target/). Without one of them WHAT is not tried, and the reason is printed.
in_chromium() {
    local why="$1: not tried in a browser:" tools=$PWD/target/browser
    has node && has npm || skip "$why node or npm is not here"
    [ "$(node -p 'Number(process.versions.node.split(".")[0])')" -ge 20 ] || skip "$why node 20 or newer is not here"
    debian chromium chromium
    CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        skip "$why Chromium cannot be had"
    mkdir -p "$tools"
    cp tests/browser/package.json tests/browser/package-lock.json "$tools"
    (cd "$tools" && npm ci --no-audit --no-fund --loglevel error) || skip "$why playwright-core and axe-core cannot be had"
    CHROMIUM=$CHROMIUM BROWSER_MODULES=$tools node --test "${@:2}"
}
