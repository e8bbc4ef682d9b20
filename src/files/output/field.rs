//! [`Field`]: a named and typed field of a record, and its table column.

use std::borrow::Cow;

use super::column_type::FieldType;
use super::{Boolean, Float, Integer, Text, Value};

/// A field of a record of type `R`: its name, its type, its table column, and a function that
/// returns its value.
///
/// The constructor determines the type. Values have this type or are null: [`Text`], [`Integer`],
/// [`Float`] and [`Boolean`] cannot represent anything else. The name and the function may be
/// created at run time, as for input columns that are copied to the output.
///
/// ```
/// use morello::output::{Field, Output, OutputFormat, Text};
///
/// struct Row { game: String, nodes: Option<u64> }
/// let titles = std::collections::HashMap::from([("othello".to_owned(), "Othello")]);
/// let title = move |row: &Row| Text::from(titles.get(&row.game).copied());
/// let fields = vec![
///     Field::<Row>::text("game", |row| row.game.as_str().into()).about("The name of the game"),
///     Field::capturing("title", title),
///     Field::<Row>::integer("nodes", |row| row.nodes.into()),
/// ];
/// let mut text = Vec::new();
/// let mut output = Output::new(OutputFormat::Jsonl, fields, &mut text)?;
/// output.write(&Row { game: "othello".to_owned(), nodes: None })?;
/// output.finish()?;
/// assert_eq!(String::from_utf8_lossy(&text), "{\"game\":\"othello\",\"title\":\"Othello\",\"nodes\":null}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Field<R> {
    pub(super) heading: Heading,
    value: Getter<R>,
}

morello_core::debug_fields!([R] Field<R> { heading.name, heading.about });

/// The information about a field that an encoder needs.
pub(super) struct Heading {
    pub(super) name: Cow<'static, str>,
    /// The description, one line.
    pub(super) about: &'static str,
    pub(super) kind: FieldType,
    /// Whether Parquet files contain the field only if a record has a value.
    pub(super) is_optional: bool,
    pub(super) column: Option<TableColumn>,
}

/// A function that returns the value of a field. Most are function pointers, because each boxed
/// closure adds code.
enum Getter<R> {
    Text(fn(&R) -> Text),
    Integer(fn(&R) -> Integer),
    Float(fn(&R) -> Float),
    Boolean(fn(&R) -> Boolean),
    Boxed(Box<dyn Fn(&R) -> Value + Send>),
}

/// The type of the values of a field: [`Text`], [`Integer`], [`Float`], [`Boolean`], or [`Value`]
/// for any type.
pub trait Typed: Into<Value> {
    /// The type of the field.
    const KIND: FieldType;
}

impl Typed for Text {
    const KIND: FieldType = FieldType::Text;
}

impl Typed for Integer {
    const KIND: FieldType = FieldType::Integer;
}

impl Typed for Float {
    const KIND: FieldType = FieldType::Float;
}

impl Typed for Boolean {
    const KIND: FieldType = FieldType::Boolean;
}

impl Typed for Value {
    const KIND: FieldType = FieldType::Any;
}

/// A table column.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableColumn {
    /// The minimum width, in characters.
    pub(super) width: usize,
    /// Whether the column is right-aligned.
    pub(super) right: bool,
    /// Whether longer values are cut.
    pub(super) cut: bool,
    /// The width to which a narrow terminal may shorten the column, in characters; `None` if it may
    /// not.
    pub(super) least: Option<usize>,
    /// The order in which a narrow terminal leaves out columns, the highest rank first. A column of
    /// rank 0 is never left out.
    pub(super) rank: u8,
}

impl<R> Getter<R> {
    fn of(&self, record: &R) -> Value {
        match self {
            Self::Text(value) => value(record).into(),
            Self::Integer(value) => value(record).into(),
            Self::Float(value) => value(record).into(),
            Self::Boolean(value) => value(record).into(),
            Self::Boxed(value) => value(record),
        }
    }
}

impl Heading {
    fn new(name: Cow<'static, str>, kind: FieldType) -> Self {
        let right = matches!(kind, FieldType::Integer | FieldType::Float);
        let column = TableColumn { width: 0, right, cut: false, least: None, rank: 0 };
        Self { name, about: "", kind, is_optional: false, column: Some(column) }
    }
}

impl<R> Field<R> {
    /// Creates a text field, left-aligned in tables.
    #[must_use]
    pub fn text(name: impl Into<Cow<'static, str>>, value: fn(&R) -> Text) -> Self {
        Self::new(name.into(), FieldType::Text, Getter::Text(value))
    }

    /// Creates an integer field, right-aligned in tables.
    #[must_use]
    pub fn integer(name: impl Into<Cow<'static, str>>, value: fn(&R) -> Integer) -> Self {
        Self::new(name.into(), FieldType::Integer, Getter::Integer(value))
    }

    /// Creates a field for decimal numbers, right-aligned in tables.
    #[must_use]
    pub fn float(name: impl Into<Cow<'static, str>>, value: fn(&R) -> Float) -> Self {
        Self::new(name.into(), FieldType::Float, Getter::Float(value))
    }

    /// Creates a boolean field, left-aligned in tables.
    #[must_use]
    pub fn boolean(name: impl Into<Cow<'static, str>>, value: fn(&R) -> Boolean) -> Self {
        Self::new(name.into(), FieldType::Boolean, Getter::Boolean(value))
    }

    /// Creates a field whose function may capture values. The type follows from the function's
    /// result: [`Text`], [`Integer`], [`Float`], [`Boolean`], or [`Value`] for values of any type.
    /// Tables align [`Value`] fields left, and Parquet stores them in a type that can represent all
    /// their values.
    ///
    /// ```
    /// use morello::output::{Field, Float};
    ///
    /// let scale = 100.0;
    /// let percent = Field::<f64>::capturing("percent", move |share| Float::from(share * scale));
    /// assert_eq!(percent.name(), "percent");
    /// ```
    #[must_use]
    pub fn capturing<T: Typed>(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> T + Send + 'static) -> Self {
        Self::new(name.into(), T::KIND, Getter::Boxed(Box::new(move |record| value(record).into())))
    }

    /// Creates a field for an input column whose values usually have this type. Other values are
    /// written unchanged; Parquet then stores the column in a type that can represent all its
    /// values.
    ///
    /// ```
    /// use morello::output::{Field, FieldType, Output, OutputFormat, Value};
    ///
    /// let elo = Field::of_type("elo", FieldType::Integer, |row: &Vec<Value>| row[0].clone());
    /// let mut csv = Vec::new();
    /// let mut output = Output::new(OutputFormat::Jsonl, vec![elo], &mut csv)?;
    /// output.write(&vec![Value::Integer(1500)])?;
    /// output.write(&vec![Value::Text("unrated".to_owned())])?;
    /// output.finish()?;
    /// assert_eq!(String::from_utf8_lossy(&csv), "{\"elo\":1500}\n{\"elo\":\"unrated\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_type(
        name: impl Into<Cow<'static, str>>,
        kind: FieldType,
        value: impl Fn(&R) -> Value + Send + 'static,
    ) -> Self {
        Self::new(name.into(), kind, Getter::Boxed(Box::new(value)))
    }

    /// Inserts fields for input columns at index `at` of `fields`. `field` creates each one from
    /// its name and number. A name that is already taken gets the prefix `input_`, repeatedly if
    /// necessary.
    ///
    /// ```
    /// use morello::output::{Field, Value};
    ///
    /// let mut fields = vec![Field::<Vec<Value>>::integer("nodes", |row| row.len().into())];
    /// let columns = [(0, "id"), (1, "nodes")];
    /// Field::add_passthrough(&mut fields, 1, &columns, |name, place| {
    ///     Field::capturing(name, move |row: &Vec<Value>| row[place].clone())
    /// });
    /// let names: Vec<_> = fields.iter().map(Field::name).collect();
    /// assert_eq!(names, ["nodes", "id", "input_nodes"]);
    /// ```
    pub fn add_passthrough(
        fields: &mut Vec<Self>,
        mut at: usize,
        names: &[(usize, &str)],
        field: impl Fn(String, usize) -> Self,
    ) {
        for &(number, name) in names {
            let mut name = name.to_owned();
            while fields.iter().any(|field| field.name() == name) {
                name = format!("input_{name}");
            }
            fields.insert(at, field(name, number));
            at += 1;
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.heading.name
    }

    /// Sets the description of the field, which is one line.
    #[must_use]
    pub fn about(mut self, about: &'static str) -> Self {
        self.heading.about = about;
        self
    }

    /// Returns the description of the field, which is one line; empty if there is none.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.heading.about
    }

    /// Returns the type.
    #[must_use]
    pub fn kind(&self) -> FieldType {
        self.heading.kind
    }

    /// Returns whether Parquet files contain the field only if a record has a value.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.heading.is_optional
    }

    /// Returns the value of the field in a record.
    pub(super) fn value(&self, record: &R) -> Value {
        self.value.of(record)
    }

    /// Converts this field to a field of a larger record. `part` returns the part of the larger
    /// record that contains the value.
    ///
    /// ```
    /// use morello::game::{AnnotatedGame, Tags};
    /// use morello::output::Field;
    ///
    /// let date = Field::<Tags>::text("date", |tags| tags.date.as_deref().into());
    /// let of_game: Field<AnnotatedGame> = date.of(|game: &AnnotatedGame| &game.tags);
    /// assert_eq!(of_game.name(), "date");
    /// ```
    #[must_use]
    pub fn of<S: 'static>(self, part: fn(&S) -> &R) -> Field<S>
    where
        R: 'static,
    {
        let Self { heading, value } = self;
        Field { heading, value: Getter::Boxed(Box::new(move |record| value.of(part(record)))) }
    }

    fn new(name: Cow<'static, str>, kind: FieldType, value: Getter<R>) -> Self {
        Self { heading: Heading::new(name, kind), value }
    }

    /// Sets the minimum width of the column in tables, in characters. A table is written while
    /// records arrive, so it cannot measure them first.
    #[must_use]
    pub fn width(mut self, width: usize) -> Self {
        if let Some(column) = &mut self.heading.column {
            column.width = width;
        }
        self
    }

    /// Sets the exact width of the column in tables, in characters. Longer text is cut.
    #[must_use]
    pub fn excerpt(mut self, width: usize) -> Self {
        if let Some(column) = &mut self.heading.column {
            (column.width, column.cut) = (width, true);
        }
        self
    }

    /// Lets a [fitted](super::Output::fitted) table shorten the column to this width, in
    /// characters.
    #[must_use]
    pub fn shortens_to(mut self, least: usize) -> Self {
        if let Some(column) = &mut self.heading.column {
            column.least = Some(least);
        }
        self
    }

    /// Lets a [fitted](super::Output::fitted) table leave out the column. Columns with a higher
    /// rank are left out first. The default is 0, which means never.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Self {
        if let Some(column) = &mut self.heading.column {
            column.rank = rank;
        }
        self
    }

    /// Hides the field in tables unless `is_shown`.
    #[must_use]
    pub fn in_table_if(self, is_shown: bool) -> Self {
        if is_shown { self } else { self.not_in_table() }
    }

    /// Hides the field in tables unless `is_shown`. Parquet files then contain it only if a record
    /// has a value. The lines of other formats always include it.
    ///
    /// ```
    /// use morello::output::{Field, Output, OutputFormat};
    ///
    /// let fields = vec![Field::<u64>::integer("n", |&n| n.into()), Field::<u64>::integer("ply", |_| None::<u64>.into())];
    /// let fields = fields.into_iter().map(|field| if field.name() == "ply" { field.only_if(false) } else { field });
    /// let mut table = Vec::new();
    /// Output::new(OutputFormat::Table, fields.collect(), &mut table)?.finish()?;
    /// assert_eq!(table, b"n\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn only_if(mut self, is_shown: bool) -> Self {
        self.heading.is_optional = !is_shown;
        self.in_table_if(is_shown)
    }

    /// Hides the field in tables, for example because it is too wide. Other formats include it.
    #[must_use]
    pub fn not_in_table(mut self) -> Self {
        self.heading.column = None;
        self
    }
}
