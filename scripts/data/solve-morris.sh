#!/usr/bin/env bash
# Solves mill games, verifies every value, and writes the results, with one command that can be interrupted and
# repeated.
#
# Usage: scripts/data/solve-morris.sh DIR [GAME ...]
#
# DIR gets the tables, in a folder for each game, and DIR/results the rows: GAME-build.csv (the steps of the builds),
# GAME-verified.csv (the verified tables with their SHA-256 checksums), GAME.csv (wins, draws and losses), GAME.sha256
# (for `sha256sum --check` in the folder of the game), GAME-openings.csv (the openings of four plies) and
# GAME-starts.csv. The default games are nine-mens-morris and nine-mens-morris-flying. Each takes about two and a half
# hours on two cores, 4.5 GiB of memory and 11 GB of disk. MORELLO names the program (default:
# target/release/morello), THREADS the number of threads.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: scripts/data/solve-morris.sh DIR [GAME ...]" >&2
    exit 2
fi
dir=$(realpath -m "$1")
shift
cd "$(dirname "$0")/../.."
games=("$@")
[ ${#games[@]} -gt 0 ] || games=(nine-mens-morris nine-mens-morris-flying)
morello=${MORELLO:-target/release/morello}
threads=(${THREADS:+--threads "$THREADS"})
results=$dir/results
mkdir -p "$results"

# Rows of an interrupted build are kept, even of one that was killed: each run adds those of its steps.
build() {
    local rows=$results/$1-build.csv
    [ ! -s "$rows.new" ] || save_rows "$rows"
    "$morello" database build "$1" --all-sectors --database "$dir" --format csv "${threads[@]}" > "$rows.new" \
        || { status=$?; save_rows "$rows"; exit $status; }
    save_rows "$rows"
}

# Adds the whole lines of the new rows, each once: a kill may leave a part of one, or rows that were added before.
save_rows() {
    { [ ! -s "$1" ] || cat "$1"; head -n "$(wc -l < "$1.new")" "$1.new"; } | awk '!seen[$0]++' > "$1.saved"
    mv "$1.saved" "$1"
    rm -f "$1.new"
}

# Writes a file only if its command succeeds.
write() {
    local file=$1
    shift
    "$@" > "$file.new"
    mv "$file.new" "$file"
}

checksums() {
    "$morello" database info "$1" --sha256 --database "$dir" --format csv \
        | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { end = $column["counted_to"] == "capture" ? ".captures" : ".table"
              print $column["sha256"] "  " $column["sector"] end }'
}

for game in "${games[@]}"; do
    echo "== $game" >&2
    build "$game"
    "$morello" database verify "$game" --database "$dir" --verified "$results/$game-verified.csv" "${threads[@]}"
    write "$results/$game.sha256" checksums "$game"
    write "$results/$game.csv" "$morello" database stats "$game" --database "$dir" --format csv
    write "$results/$game-openings.csv" "$morello" database openings "$game" --database "$dir" --format csv \
        "${threads[@]}"
    write "$results/$game-starts.csv" "$morello" database starts "$game" --database "$dir" --format csv
done
cp data/results/databases/published.csv "$results"
scripts/data/compare-databases.py --markdown "$results"
