//! [`Field`]: a named and typed field of a record, and its column in a table.

use std::borrow::Cow;

use super::{Boolean, Float, Integer, Text, Value};

/// A field of a record of type `R`: its name, its type, its column in a table, and a function that
/// returns its value.
///
/// The constructor determines the type. Values are of this type or null: [`Text`], [`Integer`],
/// [`Float`] and [`Boolean`] can hold nothing else. The name and the function may be created at run
/// time, as for input columns that are passed through.
pub struct Field<R> {
    pub(super) name: Cow<'static, str>,
    about: &'static str,
    pub(super) kind: FieldType,
    pub(super) column: Option<TableColumn>,
    pub(super) value: Box<dyn Fn(&R) -> Value + Send>,
}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldType {
    Text,
    Integer,
    Float,
    Boolean,
    Any,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableColumn {
    /// The minimum width, in characters.
    pub(super) width: usize,
    /// Whether it is aligned to the right.
    pub(super) right: bool,
    /// Whether longer values are cut.
    pub(super) cut: bool,
    /// The width to which a narrow terminal may shorten the column, in characters, if it may.
    pub(super) least: Option<usize>,
    /// The order in which a narrow terminal leaves out columns: the highest rank first; 0 is never
    /// left out.
    pub(super) rank: u8,
}

impl<R> Field<R> {
    /// Creates a text field, aligned left in tables.
    #[must_use]
    pub fn text(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Text + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Text, move |record| value(record).into())
    }

    /// Creates a field of integers, aligned right in tables.
    #[must_use]
    pub fn integer(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Integer + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Integer, move |record| value(record).into())
    }

    /// Creates a field of decimal numbers, aligned right in tables.
    #[must_use]
    pub fn float(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Float + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Float, move |record| value(record).into())
    }

    /// Creates a boolean field, aligned left in tables.
    #[must_use]
    pub fn boolean(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Boolean + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Boolean, move |record| value(record).into())
    }

    /// Creates a field with values of any type, such as an input column that is passed through,
    /// aligned left in tables. Parquet stores the values as text.
    #[must_use]
    pub fn any(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Value + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Any, value)
    }

    /// Inserts fields for input columns at index `at` of `fields`. `field` creates each from its
    /// name and number. A name that is already taken gets the prefix `input_`, repeatedly if
    /// necessary.
    pub fn add_passthrough(
        fields: &mut Vec<Self>,
        at: usize,
        names: impl IntoIterator<Item = (usize, String)>,
        field: impl Fn(String, usize) -> Self,
    ) {
        let mut added: Vec<Self> = Vec::new();
        for (number, mut name) in names {
            while fields.iter().chain(&added).any(|field| field.name() == name) {
                name = format!("input_{name}");
            }
            added.push(field(name, number));
        }
        fields.splice(at..at, added);
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets the description of the field, one line.
    #[must_use]
    pub fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Returns the description of the field, one line; empty if there is none.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.about
    }

    /// Converts this field to a field of a larger record, of which `part` returns the part with the
    /// value.
    #[must_use]
    pub fn of<S>(self, part: impl Fn(&S) -> &R + Send + 'static) -> Field<S>
    where
        R: 'static,
    {
        let Self { name, about, kind, column, value } = self;
        Field { name, about, kind, column, value: Box::new(move |record| value(part(record))) }
    }

    fn new(name: Cow<'static, str>, kind: FieldType, value: impl Fn(&R) -> Value + Send + 'static) -> Self {
        let right = matches!(kind, FieldType::Integer | FieldType::Float);
        Self {
            name,
            about: "",
            kind,
            column: Some(TableColumn { width: 0, right, cut: false, least: None, rank: 0 }),
            value: Box::new(value),
        }
    }

    /// Sets the minimum width of the column in tables, in characters. A table is written while
    /// records come, so it cannot measure them.
    #[must_use]
    pub fn width(self, width: usize) -> Self {
        self.with_column(|column| column.width = width)
    }

    /// Sets the exact width of the column in tables, in characters. Longer texts are cut.
    #[must_use]
    pub fn excerpt(self, width: usize) -> Self {
        self.with_column(|column| (column.width, column.cut) = (width, true))
    }

    /// Lets a [fitted](super::Output::fitted) table shorten the column to this width, in
    /// characters.
    #[must_use]
    pub fn shortens_to(self, least: usize) -> Self {
        self.with_column(|column| column.least = Some(least))
    }

    /// Lets a [fitted](super::Output::fitted) table leave out the column. Columns of a higher rank
    /// are left out first; 0 is the default and means never.
    #[must_use]
    pub fn rank(self, rank: u8) -> Self {
        self.with_column(|column| column.rank = rank)
    }

    fn with_column(mut self, change: impl FnOnce(&mut TableColumn)) -> Self {
        self.column.as_mut().map(change);
        self
    }

    /// Hides the field in tables unless `is_shown`.
    #[must_use]
    pub fn in_table_if(self, is_shown: bool) -> Self {
        if is_shown { self } else { self.not_in_table() }
    }

    /// Hides the field in tables, for example because it is too wide. Other formats include it.
    #[must_use]
    pub fn not_in_table(mut self) -> Self {
        self.column = None;
        self
    }
}
