#!/usr/bin/env bash
# Makes the packages of a release from a clean clone, in target/packages.
#
#   scripts/package.sh [--output DIR] [PART...]
#
# The parts, by default all of them:
#
#   archive  morello-VERSION-SYSTEM.tar.xz: the program, its manual, completions, guide and licenses
#   deb      the same as a Debian package
#   python   the wheel, which runs on every Linux with glibc 2.28 or later, and the source distribution
#   npm      the package of npm
#   page     morello-VERSION-page.tar.xz: the page with its engine, as static files
#
# Each package has `morello.cdx.json`, a bill of materials (SBOM) of what it holds. SHA256SUMS has the checksums of all packages
# in the folder. The same revision, compiler and system give the same archives. Requires Linux, Rust, Python 3.10 with venv, a
# package index, git, binutils and xz; `deb` requires dpkg-deb; `npm` and `page` require what scripts/build-web.sh does.
# scripts/test/packages.sh tries the packages.
set -euo pipefail
cd "$(dirname "$0")/.."

PARTS=(archive deb python npm page)
# Programs run on systems with this version of glibc or later: Debian 10, RHEL 8, Ubuntu 18.10.
GLIBC=2.28
# zig links for an older glibc than that of this system.
TOOLS=(maturin==1.16.0 cargo-zigbuild==0.24.1 ziglang==0.17.1 twine==7.0.0 wheel==0.48.0)

fail() {
    echo "package: $1" >&2
    exit 2
}

output=target/packages parts=()
while [ $# -gt 0 ]; do
    case $1 in
        --output)
            [ $# -ge 2 ] || fail "--output requires a folder"
            output=$2
            shift
            ;;
        -*) fail "usage: scripts/package.sh [--output DIR] [PART...]" ;;
        *)
            [[ " ${PARTS[*]} " == *" $1 "* ]] || fail "unknown part \`$1\`; the parts are ${PARTS[*]}"
            parts+=("$1")
            ;;
    esac
    shift
done
[ ${#parts[@]} -gt 0 ] || parts=("${PARTS[@]}")
has() { [[ " ${parts[*]} " == *" $1 "* ]]; }

# What is missing is said before anything is built.
missing=()
needs() { command -v "$1" > /dev/null || missing+=("$1: $2"); }
needs git "apt-get install git"
needs xz "apt-get install xz-utils"
if has archive || has deb || has python; then
    [ "$(uname -s)" = Linux ] || missing+=("Linux: these packages are for it")
    needs cargo "install Rust, https://rustup.rs"
    needs cc "apt-get install gcc"
    needs objdump "apt-get install binutils"
    needs python3 "apt-get install python3"
    python3 -c 'import ensurepip, venv' 2> /dev/null || missing+=("Python's venv: apt-get install python3-venv")
fi
if has deb; then needs dpkg-deb "apt-get install dpkg"; fi
if has npm; then needs npm "apt-get install nodejs npm"; fi
if has npm || has page; then
    [ -x scripts/build-web.sh ] || missing+=("scripts/build-web.sh: name the parts without npm and page")
fi
if [ ${#missing[@]} -gt 0 ]; then
    printf 'package: missing %s\n' "${missing[@]}" >&2
    exit 2
fi

version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
for file in CITATION.cff src/python/Cargo.toml; do
    grep -qE "^version(:| =) \"?${version//./\\.}\"?\$" "$file" || fail "$file has another version than Cargo.toml, $version"
done
for tag in $(git tag --points-at HEAD 'v*'); do
    [ "$tag" = "v$version" ] || fail "the tag $tag is not that of version $version"
done
if [ -n "$(git status --porcelain)" ]; then echo "package: the packages have changes that are not committed" >&2; fi

export CARGO_INCREMENTAL=0
build=${CARGO_TARGET_DIR:-target}
mkdir -p "$output" "$build"
output=$(cd "$output" && pwd) build=$(cd "$build" && pwd)
machine=$(uname -m)
target=$machine-unknown-linux-gnu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# Files have the time of the revision, and the program no paths of this machine. While something is built, SOURCE_DATE_EPOCH is not set: crates
# in C would be built again after each commit.
time=$(git log -1 --format=%ct)
flags=("--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=" "--remap-path-prefix=$PWD=morello")
# The paths may have spaces.
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f'; echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS
export CARGO_PROFILE_RELEASE_STRIP=symbols

# Packs a folder of $work.
pack() {
    tar -C "$work" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner -cf - "$1" |
        xz -9 -T1 > "$output/$1.tar.xz"
}

install_tools() {
    [ -x "$build/package-tools/bin/python" ] || python3 -m venv "$build/package-tools"
    PATH=$build/package-tools/bin:$PATH
    python -m pip install --quiet --disable-pip-version-check "${TOOLS[@]}"
}

# The program, and what belongs to it, in $work/program.
build_program() {
    cargo zigbuild --release --locked --package morello --bin morello --target "$target.$GLIBC"
    local folder=$work/program
    install -D -m 755 "$build/$target/release/morello" "$folder/morello"
    glibc=$(objdump -T "$folder/morello" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -1)
    [ "$(printf '%s\n' "$glibc" "$GLIBC" | sort -V | tail -1)" = "$GLIBC" ] || fail "the program requires glibc $glibc"
    "$folder/morello" man --output "$folder/man/man1"
    mkdir "$folder/completions"
    "$folder/morello" completions bash > "$folder/completions/morello.bash"
    "$folder/morello" completions zsh > "$folder/completions/_morello"
    "$folder/morello" completions fish > "$folder/completions/morello.fish"
    scripts/third-party.py licenses morello "$target" > "$folder/THIRD-PARTY-LICENSES.txt"
    scripts/third-party.py sbom morello "$target" > "$folder/morello.cdx.json"
    # The links of the README to the guide work.
    cp --parents README.md CHANGELOG.md CITATION.cff LICENSE src/guide/*.{md,jpg,svg} "$folder"
}

make_archive() {
    local name=morello-$version-$machine-linux
    cp -a "$work/program" "$work/$name"
    rm -f "$output"/morello-*-linux.tar.xz
    pack "$name"
}

make_deb() {
    local program=$work/program root=$work/deb architecture page
    architecture=$(dpkg --print-architecture)
    local doc=$root/usr/share/doc/morello
    install -D "$program/morello" "$root/usr/bin/morello"
    for page in "$program"/man/man1/*; do
        install -D -m 644 "$page" "$root/usr/share/man/man1/$(basename "$page")"
    done
    install -D -m 644 "$program/completions/morello.bash" "$root/usr/share/bash-completion/completions/morello"
    install -D -m 644 -t "$root/usr/share/zsh/vendor-completions" "$program/completions/_morello"
    install -D -m 644 -t "$root/usr/share/fish/vendor_completions.d" "$program/completions/morello.fish"
    install -D -m 644 -t "$doc" "$program/README.md" "$program/CITATION.cff" "$program/THIRD-PARTY-LICENSES.txt" "$program/morello.cdx.json"
    install -D -m 644 -t "$doc/src/guide" "$program"/src/guide/*
    install -D -m 644 "$program/CHANGELOG.md" "$doc/changelog"
    cat > "$doc/changelog.Debian" <<TEXT
morello ($version-1) unstable; urgency=medium

  * The package of version $version; \`changelog.gz\` has its changes.

 -- The morello authors <morello@localhost>  $(date -uRd "@$time")
TEXT
    gzip -9n "$root"/usr/share/man/man1/* "$doc/changelog" "$doc/changelog.Debian" "$doc/THIRD-PARTY-LICENSES.txt"
    {
        cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: morello
Comment: The program includes libraries, a script and a font by others: THIRD-PARTY-LICENSES.txt.gz in this folder lists them
 with their licenses and texts.

Files: *
Copyright: 2026 the morello authors
License: Expat or Apache-2.0

License: Apache-2.0
 /usr/share/common-licenses/Apache-2.0 has the text.

License: Expat
TEXT
        sed -n '/^Permission is/,/^SOFTWARE\./{s/^$/./;s/^/ /;p}' LICENSE
    } > "$doc/copyright"
    mkdir "$root/DEBIAN"
    cat > "$root/DEBIAN/control" <<TEXT
Package: morello
Version: $version-1
Architecture: $architecture
Maintainer: The morello authors <morello@localhost>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Depends: libc6 (>= $glibc)
Section: science
Priority: optional
Description: analysis, search and play for Othello and the mill games
 morello reviews games, finds the best moves, solves positions exactly, plays
 matches between engines, and builds endgame databases, for Othello, nine men's
 morris, Morabaraba and other mill games. \`morello serve\` shows its page in the
 browser, and \`morello play\` plays in the terminal.
TEXT
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    rm -f "$output"/morello_*.deb
    SOURCE_DATE_EPOCH=$time dpkg-deb --root-owner-group -Zxz --build "$root" "$output/morello_$version-1_$architecture.deb"
}

make_python() {
    rm -f "$output"/morello-*.whl "$output"/morello-*.tar.gz
    SOURCE_DATE_EPOCH=$time maturin sdist --out "$output"
    # maturin calls zig by a path of its own, for which Cargo would build all of the program again if both shared a folder.
    CARGO_TARGET_DIR=$build/wheel maturin build --release --locked --zig --target "$target" --compatibility "manylinux_${GLIBC/./_}" --out "$work/wheel"
    # The texts of what is linked belong into the wheel; maturin only adds files of the source. All packages
    # have a bill of materials of one kind, so that of maturin goes.
    wheel unpack --dest "$work/unpacked" "$work"/wheel/*.whl
    local info
    info=$(echo "$work"/unpacked/*/*.dist-info)
    scripts/third-party.py licenses python "$target" > "$info/licenses/THIRD-PARTY-LICENSES.txt"
    rm -rf "$info/sboms"
    mkdir "$info/sboms"
    scripts/third-party.py sbom python "$target" > "$info/sboms/morello.cdx.json"
    sed -i '0,/^License-File:/s//License-File: THIRD-PARTY-LICENSES.txt\n&/' "$info/METADATA"
    SOURCE_DATE_EPOCH=$time wheel pack --dest-dir "$output" "$work"/unpacked/*
    twine check --strict "$output"/morello-*.whl "$output"/morello-*.tar.gz
}

make_npm() {
    rm -f "$output"/morello-*.tgz
    npm pack --silent --pack-destination "$output" "$work/web/npm"
}

make_page() {
    local name=morello-$version-page
    cp -a "$work/web/page" "$work/$name"
    rm -f "$output"/morello-*-page.tar.xz
    pack "$name"
}

if has archive || has deb || has python; then install_tools; fi
if has archive || has deb; then build_program; fi
if has npm || has page; then scripts/build-web.sh --output "$work/web"; fi
for part in "${parts[@]}"; do "make_$part"; done
(cd "$output" && sha256sum morello* | tee SHA256SUMS)
