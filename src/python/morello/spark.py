"""Analysis and matches on Apache Spark (requires pyspark with its SQL extra).

    import morello.spark

    rows = morello.spark.analyze_files(spark, "/data/games.ggf.gz", 200, out="/data/run", depth=12)
    frame = spark.createDataFrame([("f5d6c3",), ("f5f6",)], ["moves"])
    morello.spark.analyze(frame, "moves", depth=12).select("moves", "analysis.best_move", "analysis.score").show()

All machines of the cluster need the same version of the package morello. Each task uses as many threads as
``spark.task.cpus``, unless the argument threads is given.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import socket
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import frames
from ._morello import MorelloError, Position, __version__
from .matches import MatchResult, play_match

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    Path = str | os.PathLike[str]

# More shards than a match has game pairs.
_MANY = 10**12

# The fields of `analyze` that say where a record was.
_PLACES = ["file", "line"]


def analyze_files(
    spark: SparkSession,
    paths: Path | Iterable[Path],
    shards: int,
    game: str = "othello",
    *,
    out: Path | None = None,
    **arguments: Any,
) -> DataFrame:
    """Returns a DataFrame with the rows of ``morello.analyze`` for files; each task analyzes a shard of the records.

    Args:
        spark: the session.
        paths: files and directories in any format that ``analyze`` reads, with the same path on all machines.
        shards: the number of shards, from 1.
        game: the name of the game, one of ``morello.games()``.
        out: a directory with the same path on all machines. The rows of each shard are written there as a Parquet file
            such as ``part-00001-of-00200-3f1c59a07be2.parquet``. A part gets its name when it is complete, and a later
            call with the same files and arguments does not compute it again. None keeps no rows.
        arguments: the other arguments of ``morello.analyze``, such as depth, exact, empties or deterministic.

    Returns:
        a DataFrame with the fields of ``morello.analyze_stream``. Spark computes it with ``mapInArrow`` when it is used
        and, without ``out``, each time it is used. ``orderBy("file", "line", "game", "ply")`` restores the order that
        one machine produces, with files by name. A bad record is a row with an error.

    Raises:
        OSError: a file cannot be read.
        MorelloError: an argument is wrong, or ``out`` has parts of other files or arguments.
    """
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    files = [os.path.abspath(path) for path in paths]
    arguments = _with_threads(spark, arguments)
    if arguments.get("unique"):
        raise MorelloError("unique needs all records; remove it, and drop the duplicates of a column of the rows")
    schema = _schema(files, game, arguments)

    def rows(shard: int) -> Iterator[pyarrow.RecordBatch]:
        return frames.analyze_stream(files, game, shard=(shard, shards), **arguments)

    return _of_shards(spark, shards, schema, rows, out, [files, game, arguments], files)


def selfplay(
    spark: SparkSession,
    players: Any,
    shards: int,
    game: str = "othello",
    *,
    out: Path | None = None,
    **arguments: Any,
) -> MatchResult:
    """Plays a match as ``morello.play_match`` does; each task of Spark plays a shard of the games.

    Args:
        spark: the session.
        players, game: as in ``morello.play_match``. Functions are sent to the tasks.
        shards: the number of shards, from 1.
        out: a directory for the games of each shard, as in ``analyze_files``.
        arguments: the other arguments of ``morello.play_match``, such as games or seed, but not sprt.

    Returns:
        the MatchResult of all games. If the players have depth or node limits, it is the same as on one machine, except
        for times.

    Raises:
        MorelloError: an argument is wrong, or ``out`` has parts of another match.
    """
    import pyarrow

    players = dict(players) if hasattr(players, "items") else list(players)
    arguments = _with_threads(spark, arguments)
    # This shard has no games: it checks the arguments before the tasks start.
    play_match(players, game, shard=(_MANY, _MANY), **arguments)

    def rows(shard: int) -> Iterator[pyarrow.RecordBatch]:
        log = play_match(players, game, shard=(shard, shards), **arguments).log
        yield pyarrow.RecordBatch.from_pydict({"game": log}, schema=schema)

    schema = pyarrow.schema([("game", "string")])
    texts = [value for value in arguments.values() if isinstance(value, (str, os.PathLike))]
    files = [os.fspath(path) for path in texts if os.path.exists(path)]
    games = _of_shards(spark, shards, schema, rows, out, [players, game, arguments], files)
    return play_match(players, game, played=[row.game for row in games.collect()], **arguments)


def statistics(rows: DataFrame, *by: str) -> DataFrame:
    """Summarizes the rows of an analysis.

    Args:
        rows: the rows returned by ``analyze_files``, or read from its parts.
        by: the names of columns to group by, such as "empties", "ply" or "black".

    Returns:
        a DataFrame with one row per combination of their values, or one row without ``by``. After these columns it has
        the numbers of positions, bad_lines, exact results and nodes; mean_score and standard_deviation, in points for
        the side to move; and for the played moves, their number (moves), mean_loss in points, and the percentage that
        loses nothing (agreement).
    """
    from pyspark.sql import functions

    known, loss = functions.col("score"), functions.col("loss")
    return rows.groupBy(*by).agg(
        functions.count(known).alias("positions"),
        functions.count_if(known.isNull()).alias("bad_lines"),
        functions.count_if("exact").alias("exact"),
        functions.sum("nodes").alias("nodes"),
        functions.avg(known).alias("mean_score"),
        functions.stddev_pop(known).alias("standard_deviation"),
        functions.count(loss).alias("moves"),
        functions.avg(loss).alias("mean_loss"),
        functions.avg((loss == 0).cast("double") * 100).alias("agreement"),
    )


def _with_threads(spark: SparkSession, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"threads": int(spark.conf.get("spark.task.cpus", "1") or 1), **arguments}


def _stamps(paths: Iterable[str]) -> list[tuple[str, int, int]]:
    """Returns data that changes when files, or files in directories, change."""
    walk = [[path] if os.path.isfile(path) else sorted(map(str, pathlib.Path(path).rglob("*"))) for path in paths]
    return [(file, os.stat(file).st_size, os.stat(file).st_mtime_ns) for files in walk for file in files]


def _of_shards(
    spark: SparkSession,
    shards: int,
    schema: pyarrow.Schema,
    rows: Callable[[int], Iterator[pyarrow.RecordBatch]],
    out: Path | None,
    settings: list[Any],
    files: list[str],
) -> DataFrame:
    """Returns a DataFrame with the rows of each shard, stored in ``out``. Settings and files determine the rows."""
    from pyspark.sql.pandas.types import from_arrow_schema

    if shards < 1:
        raise MorelloError(f"shards must be at least 1, not {shards}")
    settings = [__version__, *settings, _stamps(files)]
    version, parts = __version__, None if out is None else _parts(pathlib.Path(out).absolute(), shards, settings)

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        _check_version(version)
        for numbers in batches:
            for shard in numbers.column(0).to_pylist():
                yield from rows(shard) if parts is None else _kept(parts[shard - 1], schema, rows, shard)

    return spark.range(1, shards + 1, 1, shards).mapInArrow(work, from_arrow_schema(schema))


def _check_version(version: str) -> None:
    """Raises an error in a task unless its machine has this version of the package."""
    if __version__ != version:
        host = socket.gethostname()
        raise RuntimeError(f"{host} has morello {__version__}, but the driver has {version}: install the same")


def _parts(folder: pathlib.Path, shards: int, settings: list[Any]) -> list[pathlib.Path]:
    """Returns the files of the shards in a directory, which may contain no other Parquet files."""
    from pyspark import cloudpickle

    def digest(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()[:12]

    dumps: Callable[[Any], bytes] = cloudpickle.dumps
    # Functions cannot be written as JSON.
    text = json.dumps(settings, default=lambda value: digest(dumps(value)))
    name = f"of-{shards:05}-{digest(text.encode())}.parquet"
    parts = [folder / f"part-{shard:05}-{name}" for shard in range(1, shards + 1)]
    folder.mkdir(parents=True, exist_ok=True)
    others = sorted(set(folder.glob("*.parquet")) - set(parts))
    if others:
        file = others[0].name
        problem = f"out: `{folder}` has `{file}` of other inputs or settings"
        raise MorelloError(f"{problem}; use another folder, or remove it")
    return parts


def _kept(
    part: pathlib.Path, schema: pyarrow.Schema, rows: Callable[[int], Iterator[pyarrow.RecordBatch]], shard: int
) -> Iterator[pyarrow.RecordBatch]:
    """Yields the rows of a shard from its part. If the part does not exist, it is written first."""
    from pyarrow import parquet

    if not part.exists():
        # Another attempt at the shard may still run.
        temporary = part.with_name(f"{part.name}.{uuid.uuid4().hex}.tmp")
        with parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for batch in rows(shard):
                writer.write_batch(batch)
        os.replace(temporary, part)
        for left in part.parent.glob(f"{part.name}.*.tmp"):
            left.unlink(missing_ok=True)
    with parquet.ParquetFile(part) as file:
        yield from file.iter_batches(use_threads=False)


def _schema(source: Any, game: str, arguments: dict[str, Any]) -> pyarrow.Schema:
    """Returns the schema of the rows. This also checks the arguments before the tasks start."""
    chunks = frames._start(source, game, form="parquet", rows=1, **arguments)
    chunks.close()
    return frames._schema(chunks)


def _analyzed(
    texts: Iterable[str | None], game: str, arguments: dict[str, Any], schema: pyarrow.Schema
) -> pyarrow.StructArray:
    """Returns the row of each text."""
    import pyarrow.compute

    positions: list[Position] = []
    rows: list[int | None] = []
    errors: list[str | None] = []
    for text in texts:
        try:
            positions.append(Position(text or "", game))
            rows.append(len(positions) - 1)
            errors.append(None)
        except MorelloError as error:
            rows.append(None)
            errors.append(str(error))
    table = pyarrow.Table.from_batches(frames.analyze_stream(positions, game, **arguments), schema)
    table = table.take(pyarrow.array(rows, pyarrow.int64()))
    known = pyarrow.compute.coalesce(table.column("error"), pyarrow.array(errors, pyarrow.string()))
    table = table.set_column(table.column_names.index("error"), "error", known).drop_columns(_PLACES)
    return table.to_struct_array().combine_chunks()


def analyze(
    frame: DataFrame,
    column: str = "position",
    game: str = "othello",
    *,
    name: str = "analysis",
    **limits: Any,
) -> DataFrame:
    """Returns a DataFrame with the analysis of each position in a new column.

    Args:
        frame: a pyspark DataFrame.
        column: the name of a column with positions, or with the moves that lead to them, as text in any notation.
        game: the name of the game, one of ``morello.games()``.
        name: the name of the new column, a struct with the fields of ``morello analyze`` without "file" and "line". If
            the text is not a position, "error" is set and the other fields are None.
        limits: depth, nodes, time, level, exact, confidence, lines, hash_mib, threads, database and deterministic, as
            in ``morello.analyze``.

    Returns:
        a DataFrame with the rows of the frame, in their order within each partition; Spark computes it with
        ``mapInArrow`` when it is used.

    Raises:
        MorelloError: a limit is wrong.
    """
    import pyarrow
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructField, StructType

    arguments = _with_threads(frame.sparkSession, limits)
    row_schema = _schema([Position(game=game)], game, arguments)
    row_type = from_arrow_schema(pyarrow.schema([field for field in row_schema if field.name not in _PLACES]))
    schema = StructType([*frame.schema.fields, StructField(name, row_type)])

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for part in batches:
            texts = part.column(column).to_pylist()
            arrays = [*part.columns, _analyzed(texts, game, arguments, row_schema)]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*part.schema.names, name])

    return frame.mapInArrow(work, schema)
