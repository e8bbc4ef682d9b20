"""Analysis of the positions of an Apache Spark DataFrame (requires pyspark with its SQL extra).

    import morello.spark

    frame = spark.createDataFrame([("f5d6c3",), ("f5f6",)], ["moves"])
    morello.spark.analyze(frame, "moves", depth=12).select("moves", "analysis.best_move", "analysis.score").show()

The machines of the cluster need the package morello. For files of games on a shared folder, see ``scripts/cluster/spark_analyze.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import batch, frames
from ._morello import MorelloError, Position

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

# The fields of `analyze` that say where a record was.
_PLACES = ("file", "line")


def _table(positions: list[Position], game: str, arguments: dict[str, Any]) -> pyarrow.Table:
    """Returns the rows of positions as a pyarrow.Table."""
    table = frames.analyze(positions, game, **arguments).to_arrow()
    return table.drop_columns([name for name in _PLACES if name in table.column_names])


def _analyzed(
    texts: Iterable[str | None], game: str, arguments: dict[str, Any], type_: pyarrow.DataType
) -> pyarrow.StructArray:
    """Returns the row of each text as a pyarrow.StructArray."""
    import pyarrow

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
    if not positions:
        return pyarrow.array([{"error": error} for error in errors], type_)
    table = _table(positions, game, arguments).take(pyarrow.array(rows, pyarrow.int64())).combine_chunks()
    columns = {name: table.column(name) for name in table.column_names}
    known = columns["error"].to_pylist()
    columns["error"] = pyarrow.array([error or row for error, row in zip(errors, known)], pyarrow.string())
    arrays = [columns[field.name].cast(field.type) for field in type_]
    arrays = [array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array for array in arrays]
    return pyarrow.StructArray.from_arrays(arrays, fields=list(type_))


def analyze(
    frame: DataFrame,
    column: str = "position",
    game: str = "othello",
    *,
    name: str = "analysis",
    threads: int = 1,
    **limits: Any,
) -> DataFrame:
    """Returns a DataFrame with the analysis of each position in a further column.

    Args:
        frame: a pyspark DataFrame.
        column: the name of a column with positions, or with the moves to them, as text in any notation.
        game: the name of the game, one of ``morello.games()``.
        name: the name of the new column, a struct with the fields of ``morello analyze`` without "file" and "line". A text that is not a
            position gives an "error", and None in the other fields.
        threads: the number of threads of each task; the number of ``spark.task.cpus`` is sensible.
        limits: depth, nodes, time, level, exact, confidence, lines, hash_mib, database and deterministic, as in ``morello.analyze``.

    Returns:
        a DataFrame with the rows of the frame, in their order within each partition; Spark computes it with ``mapInArrow`` when it is used.

    Raises:
        MorelloError: a limit is wrong.
    """
    import pyarrow
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_type
    from pyspark.sql.types import StructField, StructType

    arguments = {**limits, "threads": threads}
    # A finished game has all fields and needs no search.
    finished = batch.format_boards(batch.random_games(1, game, seed=1)["board"], game)[0]
    row_type = from_arrow_schema(_table([Position(finished, game)], game, arguments).schema)
    row_type = StructType([StructField(field.name, field.dataType, True) for field in row_type])
    arrow_type = to_arrow_type(row_type)
    schema = StructType([*frame.schema.fields, StructField(name, row_type, True)])

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for part in batches:
            texts = part.column(column).to_pylist()
            arrays = [*part.columns, _analyzed(texts, game, arguments, arrow_type)]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*part.schema.names, name])

    return frame.mapInArrow(work, schema)
