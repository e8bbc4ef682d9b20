#!/usr/bin/env bash
# Installs the packages of scripts/package.sh in empty places, and tries each there.
#
#   scripts/test/packages.sh [--packages DIR] [PART...]
#
# The parts are those of scripts/package.sh, by default those whose packages are in DIR, by default target/packages.
# Requires man, bash, cargo, and Python 3.10 with venv and a package index; as root with debootstrap, the program runs in a new
# Debian, else in an empty folder. `npm` requires node with npm, and `page` what scripts/test/web.sh does. lintian checks the
# Debian package if it is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
    echo "packages: $1" >&2
    exit 1
}

packages=target/packages parts=()
while [ $# -gt 0 ]; do
    case $1 in
        --packages)
            [ $# -ge 2 ] || fail "--packages requires a folder"
            packages=$2
            shift
            ;;
        archive | deb | python | npm | page) parts+=("$1") ;;
        *) fail "usage: scripts/test/packages.sh [--packages DIR] [PART...], with archive, deb, python, npm or page" ;;
    esac
    shift
done
packages=$(cd "$packages" && pwd)
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
machine=$(uname -m)

# The packages of each part.
archive=$packages/morello-$version-$machine-linux.tar.xz
deb=$(echo "$packages/morello_$version"-*.deb)
python=$(echo "$packages/morello-$version"-*.whl)
npm=$packages/morello-$version.tgz
page=$packages/morello-$version-page.tar.xz
if [ ${#parts[@]} = 0 ]; then
    for part in archive deb python npm page; do
        if [ -f "${!part}" ]; then parts+=("$part"); fi
    done
    [ ${#parts[@]} -gt 0 ] || fail "$packages has no packages: run scripts/package.sh"
fi
for part in "${parts[@]}"; do
    [ -f "${!part}" ] || fail "${!part} is missing: run scripts/package.sh $part"
done
(cd "$packages" && sha256sum --check --quiet SHA256SUMS)

work=$(mktemp -d) tools=$(mktemp -d)
trap 'rm -rf "$work" "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check 'cyclonedx-python-lib[json-validation]==11.12.0'
# Checks a bill of materials: check_sbom FILE CRATE [TARGET].
check_sbom() { "$tools/bin/python" scripts/test/sbom.py "$1" "$2" "${3:-$machine-unknown-linux-gnu}"; }

# Fails unless the output of a command has a text.
has() {
    local text=$1 output
    shift
    output=$("$@" 2>&1) || fail "\`$*\` fails: $output"
    [[ $output == *"$text"* ]] || fail "\`$*\` prints no \`$text\`: $output"
}

# Tries the program, which is a command.
try_program() {
    has "morello $version" "$@" --version
    has "verified: 1 known count confirmed" "$@" perft othello 9 --verify
    # FFO #40, with 20 empty squares.
    has '"best_move":"a2","score":38' "$@" analyze othello --exact --format jsonl \
        <<< 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'
    has '"outcome":"loss"' "$@" analyze nine-mens-morris-flying --format jsonl <<< '0,0 c5,d7,g7 a7,f4,f6 W'
    has "Play in the terminal" "$@" play --help
    has "Black 4, White 1 disc" "$@" play othello --level 1 <<< d3
}

# A root with nothing but a program and the libraries that it needs; sets `run`.
try_in_empty_root() {
    local program=$1 root=$work/root library
    if [ "$(id -u)" != 0 ]; then
        mkdir "$work/home"
        run=(env -i -C "$work/home" "$program")
        return
    fi
    mkdir -p "$root/tmp"
    cp "$program" "$root"
    for library in $(ldd "$program" | grep -o '/[^ ]*'); do
        install -D "$library" "$root$library"
    done
    run=(env -i "$(command -v chroot)" "$root" /morello)
}

# Tries the manual and the completions, in the folders of an installation.
try_manual() {
    has "morello" env MANPAGER=cat MANWIDTH=100 man -l "$(ls "$1"/morello.1*)"
    has "Stop at the first invalid line" env MANPAGER=cat MANWIDTH=200 man -l "$(ls "$1"/morello-analyze.1*)"
}
try_completions() {
    # shellcheck disable=SC2016
    has "review" bash -c 'source "$0"; COMP_WORDS=(morello rev) COMP_CWORD=1; _morello morello rev morello; echo "${COMPREPLY[@]}"' "$1"
}

try_archive() {
    tar -xJf "$archive" -C "$work"
    local folder=$work/morello-$version-$machine-linux
    try_in_empty_root "$folder/morello"
    try_program "${run[@]}"
    try_manual "$folder/man/man1"
    try_completions "$folder/completions/morello.bash"
    grep -q "Apache License" "$folder/LICENSE" && grep -q "MIT License" "$folder/LICENSE" || fail "LICENSE lacks a text"
    grep -q "^\* serde 1" "$folder/THIRD-PARTY-LICENSES.txt" || fail "the licenses of crates are missing"
    check_sbom "$folder/morello.cdx.json" morello
    # The owner and the time of each file are the same on every machine.
    [ "$(tar --numeric-owner --utc -tvJf "$archive" | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" = 1 ] ||
        fail "the files of the archive have several owners or times"
}

# A new Debian in $work/debian.
new_debian() {
    local codename source
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    # The packages come from where this system has its own, if that is an address.
    source=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Release: $codename" | grep -m 1 ^http || true)
    debootstrap --variant=minbase "$codename" "$work/debian" ${source:+"$source"} > "$work/log" 2>&1 ||
        { tail "$work/log" >&2; fail "debootstrap fails"; }
}

try_deb() {
    local root=$work/debian is_new=no
    # The package has no address of a maintainer.
    if command -v lintian > /dev/null; then lintian --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$deb"; fi
    if [ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null; then
        is_new=yes
        new_debian
        cp "$deb" "$root/morello.deb"
        chroot "$root" dpkg --install /morello.deb
        run=(env -i PATH=/usr/bin "$(command -v chroot)" "$root" morello)
    else
        dpkg-deb --extract "$deb" "$root"
        try_in_empty_root "$root/usr/bin/morello"
    fi
    try_program "${run[@]}"
    try_manual "$root/usr/share/man/man1"
    try_completions "$root/usr/share/bash-completion/completions/morello"
    check_sbom "$root/usr/share/doc/morello/morello.cdx.json" morello
    if [ $is_new = yes ]; then
        chroot "$root" dpkg --purge morello
        [ ! -e "$root/usr/bin/morello" ] && [ ! -e "$root/usr/share/doc/morello" ] || fail "files are left after --purge"
    fi
}

try_python() {
    python3 -m venv "$work/venv"
    local here=$work/venv/bin/python file
    "$here" -m pip install --quiet --disable-pip-version-check --no-deps "$python"
    "$here" -m pip install --quiet --disable-pip-version-check numpy
    (
        cd "$work"
        try_program env -i "$here" -m morello
        try_program env -i "$work/venv/bin/morello"
        env -i "$here" -c '
import morello
assert morello.Position().perft(6) == 8200
report = morello.Engine().search("f5d6c3", depth=10)
assert report.best_move and report.depth == 10
assert morello.batch.legal_masks(morello.batch.random_boards(100, plies=20, seed=1)).any()
'
    )
    [[ $python == *-manylinux_2_28_*.whl ]] || fail "$python is not a wheel of manylinux_2_28"
    python3 -m zipfile --list "$python" > "$work/files"
    grep -q 'dist-info/licenses/LICENSE ' "$work/files" && grep -q 'licenses/THIRD-PARTY-LICENSES.txt ' "$work/files" ||
        fail "the wheel lacks licenses"
    python3 -m zipfile --extract "$python" "$work/wheel"
    [ "$(ls "$work"/wheel/*.dist-info/sboms)" = morello.cdx.json ] || fail "the wheel has another bill of materials"
    check_sbom "$(echo "$work"/wheel/*.dist-info/sboms/morello.cdx.json)" morello-python
    # The source distribution is a workspace that Cargo resolves as it is locked, with what the crates embed.
    tar -xzf "$packages/morello-$version.tar.gz" -C "$work"
    local source=$work/morello-$version
    for file in LICENSE Cargo.lock pyproject.toml src/python/morello/__init__.py src/core/data src/files/data src/web/page/index.html; do
        [ -e "$source/$file" ] || fail "the source distribution lacks $file"
    done
    cargo metadata --locked --format-version 1 --manifest-path "$source/src/python/Cargo.toml" > /dev/null
}

try_npm() {
    mkdir "$work/npm"
    (
        cd "$work/npm"
        npm install --silent --no-audit --no-fund "$npm"
        node --input-type=module -e '
import * as morello from "morello";
for (const name of ["Position", "search", "solve", "review"])
    if (typeof morello[name] !== "function") throw new Error(`${name} is missing`);
const position = await morello.Position.parse("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X");
const { score, exact } = await morello.solve(position);
if (score !== 38 || !exact) throw new Error(`the score is ${score}`);
'
    )
    check_sbom "$work/npm/node_modules/morello/morello.cdx.json" morello-wasm wasm32-unknown-unknown
}

try_page() {
    tar -xJf "$page" -C "$work"
    check_sbom "$work/morello-$version-page/morello.cdx.json" morello-wasm wasm32-unknown-unknown
    scripts/test/web.sh --install --static "$work/morello-$version-page"
}

for part in "${parts[@]}"; do
    printf '== %s\n' "$(basename "${!part}")"
    "try_$part"
    # Each part begins in an empty folder.
    rm -rf "${work:?}"/*
done
echo "packages: passed"
