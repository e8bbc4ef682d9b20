//! [`Field`]: what a record holds under a name, of one type, and how a table shows it.

use std::borrow::Cow;

use super::{Boolean, Float, Integer, Text, Value};

/// One field of a record of type `R`: its name, its type, its place in a table, and how it is read off the record.
///
/// The type is that of the constructor, and whatever is read off a record has it, or is null: [`Text`], [`Integer`], [`Float`] and
/// [`Boolean`] can hold nothing else. Name and function may be made at run time, as those of columns that are passed through are.
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
    /// The least width, in characters.
    pub(super) width: usize,
    /// Whether it is aligned to the right.
    pub(super) right: bool,
    /// Whether what is wider is cut.
    pub(super) cut: bool,
}

impl<R> Field<R> {
    /// Names a field of texts and says how it is read off a record. In a table it stands to the left.
    #[must_use]
    pub fn text(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Text + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Text, move |record| value(record).into())
    }

    /// Names a field of whole numbers and says how it is read off a record. In a table it stands to the right.
    #[must_use]
    pub fn integer(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Integer + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Integer, move |record| value(record).into())
    }

    /// Names a field of numbers with decimals and says how it is read off a record. In a table it stands to the right.
    #[must_use]
    pub fn float(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Float + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Float, move |record| value(record).into())
    }

    /// Names a field of yes or no and says how it is read off a record. In a table it stands to the left.
    #[must_use]
    pub fn boolean(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Boolean + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Boolean, move |record| value(record).into())
    }

    /// Names a field of values of any type, such as a column of an input that is passed on, and says how it is read off a record. In a table
    /// it stands to the left; a column of Parquet has them as texts.
    #[must_use]
    pub fn any(name: impl Into<Cow<'static, str>>, value: impl Fn(&R) -> Value + Send + 'static) -> Self {
        Self::new(name.into(), FieldType::Any, value)
    }

    /// Adds fields of what is passed on from an input, at a place among other fields: those that `field` makes of names and numbers. Where a
    /// name is taken, `input_` stands before it, as often as it takes.
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

    /// Says in one line what the field holds.
    #[must_use]
    pub fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Returns what the field holds, in one line; empty if it is not said.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.about
    }

    /// Returns the field of a larger record, which is read off a part of it.
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
            column: Some(TableColumn { width: 0, right, cut: false }),
            value: Box::new(value),
        }
    }

    /// Makes the field's column in a table at least `width` characters wide, since it cannot know what is still to come.
    #[must_use]
    pub fn width(mut self, width: usize) -> Self {
        if let Some(column) = &mut self.column {
            column.width = width;
        }
        self
    }

    /// Makes the field's column in a table exactly `width` characters wide: longer texts are cut there, in tables alone.
    #[must_use]
    pub fn excerpt(mut self, width: usize) -> Self {
        if let Some(column) = &mut self.column {
            column.width = width;
            column.cut = true;
        }
        self
    }

    /// Leaves the field out of tables, unless it `is_shown`.
    #[must_use]
    pub fn in_table_if(self, is_shown: bool) -> Self {
        if is_shown { self } else { self.not_in_table() }
    }

    /// Leaves the field out of tables, where it would be too wide to be read; the other formats have it.
    #[must_use]
    pub fn not_in_table(mut self) -> Self {
        self.column = None;
        self
    }
}
