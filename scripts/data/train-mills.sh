#!/usr/bin/env bash
# Trains the evaluation of a mill game from nothing, by rounds of games of the program against itself, in minutes.
#
# Usage: scripts/data/train-mills.sh GAME DIR [ROUNDS]
#
# Writes DIR/GAME.weights, and for each round its games and its weights; the same command resumes an interrupted run.
# The first round counts only men, each later one plays with the weights of the round before, and the weights of a
# round are fitted to its games and to those of the two rounds before it, the first excepted. Half of the openings of
# a round are short, half are long: random play of up to 40 plies gives positions that no player would reach, but that
# a search looks at. MORELLO names the program (default: target/release/morello), beside which morello-train is,
# THREADS the number of threads (2), GAMES the games of the first round (10000); later rounds have two, four and six
# times as many.
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: scripts/data/train-mills.sh GAME DIR [ROUNDS]" >&2
    exit 2
fi
game=$1
dir=$2
rounds=${3:-4}
morello=${MORELLO:-$(dirname "$0")/../../target/release/morello}
games=${GAMES:-10000}
for number in "$rounds" "$games"; do
    if ! [[ $number =~ ^[1-9][0-9]*$ ]]; then
        echo "ROUNDS and GAMES are numbers from 1 on, not \`$number\`" >&2
        exit 2
    fi
done
if [[ $dir == *,* ]]; then
    echo "\`$dir\`: use a folder without a comma, which separates the settings of an engine" >&2
    exit 2
fi
mkdir -p "$dir"

play() {
    local log=$1 first=$2 second=$3
    shift 3
    [ ! -s "$log" ] || set -- "$@" --resume
    "$morello" selfplay "$game" --engine "name=a,$first" --engine "name=b,$second" --opening-depth 0 --repetition 2 \
        --no-progress 40 --threads "${THREADS:-2}" --log "$log" "$@" >&2
}

fit() {
    "$morello-train" mills "$game" "${logs[@]}" "${@:2}" --csv "$1.csv" -o "$1.weights" --force >&2
}

# Scores that count only men say less than results.
settings=eval=simple
results=1
logs=()
for round in $(seq "$rounds"); do
    factor=$((round == 1 ? 1 : 2 * (round - 1)))
    log=$dir/$game-$round
    [ "$round" -ne 2 ] || logs=()
    # Two engines of different strength: games of one engine against itself would be the same with the colors swapped.
    strong=("nodes=400,hash=1,no-database,$settings" "nodes=500,hash=1,no-database,$settings" --ply-cap 160)
    half=$((factor * games / 2))
    play "$log-short.jsonl" "${strong[@]}" --opening-plies 2..12 --games $half --seed $((2 * round))
    play "$log-long.jsonl" "${strong[@]}" --opening-plies 4..40 --games $half --seed $((2 * round + 1))
    logs+=("$log-short.jsonl" "$log-long.jsonl")
    logs=("${logs[@]:${#logs[@]} > 6 ? 2 : 0}")
    fit "$log" --results "$results"
    settings=weights=$log.weights
    results=0.25
done

weak() {
    play "$log-$1.jsonl" "${@:2}"
    logs+=("$log-$1.jsonl")
}
depth=hash=1,no-database,$settings,depth
weak depth-1 "$depth=1" "$depth=2" --ply-cap 160 --opening-plies 2..20 --games $((5 * games / 2)) --seed 101
weak depth-2 "$depth=2" "$depth=3" --ply-cap 160 --opening-plies 2..40 --games $((4 * games)) --seed 102
weak random random "$depth=1" --ply-cap 160 --opening-plies 2..4 --games $((2 * games)) --seed 103
if [ -n "${DATABASE:-}" ]; then
    # Most moves that throw a result away place a man. These games end without a result.
    weak placing-1 "$depth=1" "$depth=2" --ply-cap 20 --opening-plies 2..10 --games $((8 * games)) --seed 104
    weak placing-3 "$depth=3" "$depth=4" --ply-cap 20 --opening-plies 2..14 --games $((12 * games)) --seed 105
    fit "$log-all" --results 0.75 --epochs 12 --database "$DATABASE"
else
    fit "$log-all" --results "$results" --epochs 12
fi
cp "$log-all.weights" "$dir/$game.weights.new"
mv "$dir/$game.weights.new" "$dir/$game.weights"
