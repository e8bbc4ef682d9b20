#!/usr/bin/env bash
# Tests spark_analyze.py and spark_selfplay.py with a real Spark: on local[2], and on a standalone master with two
# local workers, one of which is killed during the run, through the program and through the Python package. Rows, sums
# and games must equal those of a single machine. Takes some minutes; exits with 0 on success.
# Usage: [MORELLO=path] [WHEEL=path] scripts/test/spark.sh [FOLDER for PySpark and the runs; default: a temporary
# folder]
#
# Installs PySpark into a virtual environment in the folder, with and without the package, and a Java runtime with
# apt-get if there is none (as root). Builds the program unless MORELLO is set, and the package unless WHEEL is. The
# output of Spark is in FOLDER/*.log.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
here="$root/scripts/cluster"

if [[ $# -gt 0 ]]; then
    mkdir -p "$1"
    work="$(cd "$1" && pwd)"
else
    work="$(mktemp -d)"
fi
below() { # Prints the descendants of a process.
    local child
    for child in $(pgrep -P "$1" || true); do
        echo "$child"
        below "$child"
    done
}
started=()
cleanup() {
    for pid in ${started[@]+"${started[@]}"}; do
        # shellcheck disable=SC2046 # One word per process.
        kill "$pid" $(below "$pid") 2>/dev/null || true
    done
    wait 2>/dev/null || true
    [[ $# -gt 0 ]] || rm -rf "$work"
}
trap 'cleanup "$@"' EXIT
trap 'echo "FAILED: line $LINENO: $BASH_COMMAND" >&2' ERR

ok() { printf 'OK  %4d s  %s\n' "$SECONDS" "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Requirements.

if [[ -n "${MORELLO:-}" ]]; then
    morello="$(realpath "$MORELLO")"
else
    (cd "$root" && cargo build --release)
    morello="$root/target/release/morello"
fi
if [[ -z "${JAVA_HOME:-}" ]] && ! command -v java >/dev/null; then
    if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
        fail "java not found: install a Java runtime (17 or 21)"
    fi
    apt-get update -qq && apt-get install -y -qq --no-install-recommends default-jre-headless >"$work/apt.log"
fi
version="$(sed -n 's/^PYSPARK = "\(.*\)"$/\1/p' "$here/spark_shards.py")"
python="$work/venv/bin/python"
if [[ ! -x "$python" ]]; then
    python3 -m venv "$work/venv"
fi
if ! "$python" -c 'import pandas, pyarrow, pyspark' 2>/dev/null; then
    "$work/venv/bin/pip" install --quiet "pyspark[sql]==$version"
fi
packaged="$work/venv-package/bin/python"
if [[ ! -x "$packaged" ]]; then
    python3 -m venv "$work/venv-package"
fi
if ! "$packaged" -c 'import morello, pandas, pyarrow, pyspark' 2>/dev/null; then
    "$work/venv-package/bin/pip" install --quiet "pyspark[sql]==$version" "${WHEEL:-$root}"
fi
export PYSPARK_PYTHON="$python" SPARK_LOCAL_IP=127.0.0.1
SPARK_HOME="$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"
export SPARK_HOME
ok "pyspark $version and $("$morello" --version)"

# Inputs: 24 games, scored positions (one of them with a wrong score), a bad line, and a Parquet dataset.

cd "$work"
rm -rf one.* one-* run-* games* events positions.obf parquet spark-work ./*.log
"$morello" selfplay othello --engine name=a,depth=3 --engine name=b,depth=2 --games 24 --threads 1 \
    --save-games games.ggf >/dev/null 2>&1
"$morello" convert othello games.ggf --empties 11..12 --to obf -o positions.obf 2>/dev/null
"$morello" analyze othello positions.obf --exact --format csv --summary /dev/null --progress never |
    "$python" -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
    score = int(row["score"]) + 2 * (row["line"] == "7")
    print("{}; {}:{:+};".format(row["position"], row["best_move"], score))
print("no position")' >scored.obf
mv scored.obf positions.obf
gzip -c games.ggf >games.ggf.gz
mkdir -p parquet/year=2001 parquet/year=2002
head -n 10 games.ggf | "$morello" convert othello - --to parquet -o parquet/year=2001/games.parquet 2>/dev/null
tail -n +11 games.ggf | "$morello" convert othello - --to parquet -o parquet/year=2002/games.parquet 2>/dev/null

shards=24
options=(--exact --empties 11..19 --hash 4 --deterministic)
settings=(--conf spark.ui.enabled=false --conf spark.driver.memory=1g --conf spark.driver.bindAddress=127.0.0.1
    --conf spark.driver.host=127.0.0.1)
# spark LOG EXPECTED_CODE ARGUMENT...: runs the script, and checks its exit code. `script` selects another script,
# `python` another interpreter.
script=spark_analyze.py
spark() {
    local log="$1" expected="$2" code=0
    shift 2
    "$python" "$here/$script" "$@" >"$log.out" 2>"$log.log" || code=$?
    [[ $code -eq $expected ]] || fail "exit code $code, not $expected: see $work/$log.log: $(tail -n 3 "$log.log")"
}
# same_sums SUMMARY STATISTICS: compares; means by group are those of rounded ones, and differ in their last digits.
same_sums() {
    "$python" - "$@" <<'PYTHON' || fail "sums differ: $*"
import json, sys
one, many = (json.load(open(path)) for path in sys.argv[1:])
LOOSE = {"mean_nodes": 1, "mean_loss": 0.01, "accuracy": 0.02, "agreement": 0.02}
different = []
def compare(a, b, path):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in a.keys() | b.keys():
            if (path, key) != (("by_empties",), "mean_absolute_error"):
                compare(a.get(key, "missing"), b.get(key, "missing"), (*path, key))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for x, y in zip(a, b):
            compare(x, y, path)
    elif path[0] in ("by_empties", "play") and isinstance(a, float) and isinstance(b, float):
        if abs(a - b) > LOOSE.get(path[-1], 0):
            different.append((path, a, b))
    elif a != b:
        different.append((path, a, b))
compare(one, many, ())
print(*different, sep="\n", end="")
sys.exit(bool(different))
PYTHON
}
# prints FILE TEXT: checks that a file contains a text.
prints() { grep -qF -- "$2" "$1" || fail "$1 does not contain: $2"; }

# One machine.

inputs=(games.ggf.gz positions.obf)
code=0
"$morello" analyze othello "${inputs[@]}" "${options[@]}" --format jsonl -o one.jsonl --summary one.json \
    --progress never || code=$?
[[ $code -eq 1 ]] || fail "one machine: exit code $code, expected 1 for the wrong score and the bad line"
ok "one machine: $(wc -l <one.jsonl) rows, $(grep -m1 '"nodes"' one.json | tr -dc 0-9) nodes"

# local[2].

spark local 1 othello "${inputs[@]}" --output run-local --shards $shards --morello "$morello" --master 'local[2]' \
    "${settings[@]}" \
    --merge run-local.jsonl -- "${options[@]}"
prints local.out "$shards shards, 0 already done"
cmp one.jsonl run-local.jsonl || fail "rows differ"
same_sums one.json run-local/statistics.json
ok "local[2]: rows equal to the byte, sums equal"

# The Python package: the same shards, and the positions of a DataFrame.

PYSPARK_PYTHON="$packaged" python="$packaged" spark package 1 othello "${inputs[@]}" --output run-package \
    --shards $shards --master 'local[2]' \
    "${settings[@]}" --merge run-package.jsonl -- "${options[@]}"
grep -q '"morello": null' run-package/run.json || fail "the run did not use the package"
cmp one.jsonl run-package.jsonl || fail "rows differ"
same_sums one.json run-package/statistics.json
ok "the package: rows equal to the byte, sums equal"

spark parts 1 othello "${inputs[@]}" --output run-parts --shards $shards --parts parquet --morello "$morello" \
    --master 'local[2]' "${settings[@]}" -- "${options[@]}"
same_sums one.json run-parts/statistics.json
rows=$("$python" -c 'import glob, pyarrow.parquet as p
print(sum(p.read_metadata(file).num_rows for file in glob.glob("run-parts/*.parquet")))')
[[ $rows -eq $(wc -l <one.jsonl) ]] || fail "$rows rows in Parquet files"
ok "shards as Parquet files: all rows, sums equal"
PYSPARK_PYTHON="$packaged" "$packaged" - >frame.out 2>frame.log <<'PYTHON' ||
    fail "see $work/frame.log: $(tail -n 3 frame.log)"
import json
from pyspark.sql import SparkSession
import morello, morello.spark

texts = ["f5d6c3", None, "f5f6", "no position", "f5d6c3d3c4", "f5f4"] * 5
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
frame = spark.createDataFrame(list(enumerate(texts)), "id long, moves string").repartition(3)
analysis = morello.spark.analyze(frame, "moves", depth=4, deterministic=True, hash_mib=1)
rows = {row["id"]: row for row in analysis.collect()}
known = [morello.Position(text) for text in set(texts) - {None, "no position"}]
expected = {row["position"]: row for row in morello.analyze(known, depth=4, deterministic=True, hash_mib=1)}
assert len(rows) == len(texts)
for number, text in enumerate(texts):
    row = rows[number]["analysis"].asDict()
    assert rows[number]["moves"] == text
    if text in (None, "no position"):
        assert row["error"] and row["score"] is None, row
        continue
    wanted = expected[str(morello.Position(text))]
    assert {key: value for key, value in wanted.items() if key not in ("file", "line")} == row, (wanted, row)
spark.stop()
PYTHON
ok "a DataFrame: rows equal to those of morello.analyze"

# A master and two workers, one of which is killed.

port="$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
url="spark://127.0.0.1:$port"
"$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0 \
    >master.log 2>&1 &
started+=($!)
workers=()
for number in 1 2; do
    "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 --cores 1 \
        --memory 1g \
        --work-dir "spark-work/$number" "$url" >"worker-$number.log" 2>&1 &
    started+=($!)
    workers+=($!)
done
for ((wait = 0; $(grep -c 'Registering worker' master.log || true) < 2; wait++)); do
    ((wait < 120)) || fail "the workers do not register: see $work/worker-*.log"
    sleep 1
done
ok "a master and two workers on $url"

cluster=(othello "${inputs[@]}" --output run-cluster --shards $shards --morello "$morello" --master "$url" \
    "${settings[@]}"
    --conf spark.executor.memory=512m --merge run-cluster.jsonl)
# Spark's event log shows what happened to each task.
mkdir -p events
record=(--conf spark.eventLog.enabled=true --conf "spark.eventLog.dir=file://$work/events"
    --conf spark.eventLog.compress=false
    --conf spark.eventLog.rolling.enabled=false)
spark cluster 1 "${cluster[@]}" "${record[@]}" -- "${options[@]}" &
job=$!
started+=($job)
# Kill the second worker when some shards are done and the program runs below its executor.
while :; do
    kill -0 $job 2>/dev/null || fail "the run ended before a worker could be killed: see $work/cluster.log"
    ready="$( (find run-cluster -name 'part-?????.json' 2>/dev/null || true) | wc -l)"
    if ((ready >= 4)); then
        for pid in $(below "${workers[1]}"); do
            name="$(cat "/proc/$pid/comm" 2>/dev/null || ps -o comm= -p "$pid" || true)"
            if [[ "$name" == "$(basename "$morello" | cut -c1-15)" ]]; then
                break 2
            fi
        done
    fi
    sleep 0.2
done
executors="$(pgrep -P "${workers[1]}")"
# shellcheck disable=SC2086 # One word per process.
kill -KILL "${workers[1]}" $executors
wait "${workers[1]}" 2>/dev/null || true
ok "killed worker 2 and its executor with $ready of $shards shards done"
wait $job || fail "the run did not survive the loss of a worker"
lost="$(cat events/* | grep -c '"Event":"SparkListenerTaskEnd".*"Reason":"ExecutorLostFailure"' || true)"
((lost > 0)) || fail "no task was lost: see $work/events"
grep -q 'Lost executor' cluster.log || fail "no executor was lost: see $work/cluster.log"
again="$("$python" -c 'import json; shards = json.load(open("run-cluster/manifest.json"))["shards"]
print(*[shard["shard"] for shard in shards if shard["attempt"] > 0])')"
[[ -n "$again" ]] || fail "no shard was done by a second attempt"
prints cluster.out "$shards shards, 0 already done"
cmp one.jsonl run-cluster.jsonl || fail "rows differ"
same_sums one.json run-cluster/statistics.json
ok "standalone: $lost task(s) lost and run again (shard $again), rows equal to the byte, sums equal"

# Resuming: complete shards are skipped, damaged ones are repeated.

touch before
spark again 1 "${cluster[@]}" -- "${options[@]}"
prints again.out "$shards shards, $shards already done"
[[ -z "$(find run-cluster -name 'part-*' -newer before)" ]] || fail "a shard was written again"
rm run-cluster/part-00003.json
echo >>run-cluster/part-00005.jsonl
spark damaged 1 "${cluster[@]}" -- "${options[@]}"
prints damaged.out "$shards shards, $((shards - 2)) already done"
cmp one.jsonl run-cluster.jsonl || fail "rows differ"
ok "resumed: $shards skipped; with two damaged, $((shards - 2)) skipped and two repeated"

# Parquet input and output, CSV output, and a program that fails at first.

cat >flaky <<SH
#!/bin/sh
case "\$*" in
    analyze*--shard*) if mkdir "$work/run-failed" 2>/dev/null; then echo "error: made to fail" >&2; exit 3; fi ;;
esac
exec "$morello" "\$@"
SH
chmod +x flaky
light=(--depth 3 --empties 20..30 --deterministic)
parquet=(othello parquet --output run-parquet --shards 5 --morello ./flaky --master 'local[2]' "${settings[@]}")
spark parquet 0 "${parquet[@]}" --merge run-parquet.parquet -- "${light[@]}"
prints parquet.log "made to fail"
prints parquet.out "5 shards, 0 already done"
spark parquet-again 0 "${parquet[@]}" --merge run-parquet.csv -- "${light[@]}"
prints parquet-again.out "5 shards, 5 already done"
for format in csv parquet; do
    "$morello" analyze othello parquet/year=*/games.parquet "${light[@]}" --format $format -o one.$format \
        --summary one.json --progress never --force
done
cmp one.csv run-parquet.csv || fail "CSV differs"
"$python" -c 'import pyarrow.parquet as p; a, b = p.read_table("one.parquet"), p.read_table("run-parquet.parquet")
assert a.schema.names == b.schema.names and a.schema.types == b.schema.types and a.to_pylist() == b.to_pylist()
assert {name.split("/")[1] for name in a.column("file").to_pylist()} == {"year=2001", "year=2002"} and a.num_rows > 100' || fail "Parquet differs"
same_sums one.json run-parquet/statistics.json
ok "Parquet input; CSV equal to the byte, Parquet equal in values and types; a failed task was retried"

# Matches and training games.

script=spark_selfplay.py
engines=(--engine name=a,depth=3 --engine name=b,nodes=300 --deterministic --seed 5)
match=(match othello --games 21 --output run-match --shards 4 --master 'local[2]' "${settings[@]}")
"$morello" selfplay othello --games 21 "${engines[@]}" --threads 1 --log one-match.jsonl --format jsonl \
    >one-match.json 2>/dev/null
spark match 0 "${match[@]}" --morello "$morello" -- "${engines[@]}"
prints match.out "4 shards, 0 already done"
cmp one-match.jsonl run-match/match.jsonl || fail "the games of the match differ"
"$python" -c 'import json
a, b = (json.load(open(file)) for file in ("one-match.json", "run-match/result.json"))
assert a == b, (a, b)' ||
    fail "the results of the match differ"
rm run-match/part-00002.json
spark match-again 0 "${match[@]}" --morello "$morello" -- "${engines[@]}"
prints match-again.out "4 shards, 3 already done"
cmp one-match.jsonl run-match/match.jsonl || fail "the games of the repeated shard differ"
spark error 2 "${match[@]}" --morello "$morello" -- "${engines[@]}" --engine name=c,depth=1
prints error.log "is from another run (different options)"
spark error 2 match othello --games 8 --output run-error --morello "$morello" -- "${engines[@]}" --sprt elo0=0,elo1=5
prints error.log "--sprt is not supported"
spark error 2 match othello --games 8 --shards 2 --output run-clock --morello "$morello" --master 'local[2]' \
    "${settings[@]}" \
    -- "${engines[@]}" --engine name=c,time=1ms
prints error.log 'depend on a clock'
spark training 0 training othello --games 11 --seed 7 --output run-training --shards 3 --morello "$morello-train" \
    --master 'local[2]' \
    "${settings[@]}" -- --depth 1 --exact-from 6
prints training.out "11 games in 3 files"
for shard in 1 2 3; do
    "$morello-train" generate --games $((shard < 3 ? 4 : 3)) --seed $((6 + shard)) --depth 1 --exact-from 6 \
        -o one-$shard.games 2>/dev/null
    cmp one-$shard.games run-training/part-0000$shard.games || fail "the training games of shard $shard differ"
done
PYSPARK_PYTHON="$packaged" python="$packaged" spark match-package 0 match othello --games 21 \
    --output run-match-package --shards 3 \
    --master 'local[2]' "${settings[@]}" -- "${engines[@]}"
cmp one-match.jsonl run-match-package/match.jsonl || fail "the games of the match through the package differ"
script=spark_analyze.py
ok "a match and training games: equal to those of one machine, through program and package; repeated shards are equal"

# Errors.

spark error 2 "${parquet[@]}" -- --depth 2
prints error.log "is from another run (different options)"
spark error 2 othello nothing-here --output run-error --morello "$morello"
prints error.log "no input"
spark error 2 othello positions.obf --output run-error --morello ./nothing-here
prints error.log "give the path of morello"
spark error 2 othello positions.obf --output parquet --shards 2 --morello "$morello"
prints error.log "neither empty nor from a run"
JAVA_HOME="$work/nothing-here" spark error 2 othello positions.obf --output run-error --morello "$morello"
prints error.log "java not found"
code=0
"$python" -S "$here/spark_analyze.py" othello positions.obf --output run-error --morello "$morello" 2>error.log \
    || code=$?
[[ $code -eq 2 ]] || fail "without pyspark: exit code $code"
prints error.log "pip install 'pyspark[sql]==$version'"
spark error 2 othello positions.obf --output run-wrong --shards 2 --morello "$morello" --master 'local[2]' \
    "${settings[@]}" -- --bogus
prints error.log "unexpected argument '--bogus'"
ok "error messages"
