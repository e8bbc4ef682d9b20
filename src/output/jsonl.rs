//! JSON lines: one object per record, with its fields in order.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Encoder, Value};

pub(super) struct JsonlEncoder<W> {
    names: Vec<String>,
    sink: W,
}

impl<W> JsonlEncoder<W> {
    pub(super) fn new(names: &[&str], sink: W) -> Self {
        Self { names: names.iter().map(ToString::to_string).collect(), sink }
    }
}

impl<W: Write> Encoder for JsonlEncoder<W> {
    fn write(&mut self, values: &[Value]) -> io::Result<()> {
        serde_json::to_writer(&mut self.sink, &Object { names: &self.names, values })?;
        self.sink.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

struct Object<'a> {
    names: &'a [String],
    values: &'a [Value],
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (name, value) in self.names.iter().zip(self.values) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
