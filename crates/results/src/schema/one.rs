//! One field of a row, without the others: a serializer that passes over all but one.
//!
//! PERF: a table of 10,000 points asks for 200,000 fields (`tailback view`, reports). A row made whole for each of them took seconds.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeMap, Serializer};
use serde_json::{Error, Value};

/// The value of a field in what is serialized as a map; `None` where there is no such field.
pub(super) fn one(row: &impl Serialize, name: &str) -> Option<Value> {
    row.serialize(Row { name, found: None, here: false }).ok()?
}

/// Looks for a field.
struct Row<'a> {
    name: &'a str,
    found: Option<Value>,
    /// Whether the key that came last is the name.
    here: bool,
}

impl SerializeMap for Row<'_> {
    type Ok = Option<Value>;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.here = key.serialize(IsName(self.name))?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if self.here {
            self.found = Some(serde_json::to_value(value)?);
        }
        Ok(())
    }

    fn end(self) -> Result<Option<Value>, Error> {
        Ok(self.found)
    }
}

/// Whether a key is a name.
struct IsName<'a>(&'a str);

/// Methods for what does not occur.
macro_rules! refused {
    ($($name:ident($($type:ty),*) -> $out:ty;)*) => {
        $(fn $name(self, $(_: $type),*) -> Result<$out, Error> {
            Err(Error::custom(concat!("a row has no ", stringify!($name))))
        })*
    };
}

/// What a serializer does but for one method.
macro_rules! all_but {
    ($ok:ty) => {
        type Ok = $ok;
        type Error = Error;
        type SerializeSeq = Impossible<$ok, Error>;
        type SerializeTuple = Impossible<$ok, Error>;
        type SerializeTupleStruct = Impossible<$ok, Error>;
        type SerializeTupleVariant = Impossible<$ok, Error>;
        type SerializeStruct = Impossible<$ok, Error>;
        type SerializeStructVariant = Impossible<$ok, Error>;

        refused! {
            serialize_bool(bool) -> $ok;
            serialize_i8(i8) -> $ok;
            serialize_i16(i16) -> $ok;
            serialize_i32(i32) -> $ok;
            serialize_i64(i64) -> $ok;
            serialize_u8(u8) -> $ok;
            serialize_u16(u16) -> $ok;
            serialize_u32(u32) -> $ok;
            serialize_u64(u64) -> $ok;
            serialize_f32(f32) -> $ok;
            serialize_f64(f64) -> $ok;
            serialize_char(char) -> $ok;
            serialize_bytes(&[u8]) -> $ok;
            serialize_none() -> $ok;
            serialize_unit() -> $ok;
            serialize_unit_struct(&'static str) -> $ok;
            serialize_unit_variant(&'static str, u32, &'static str) -> $ok;
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_tuple(usize) -> Self::SerializeTuple;
            serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
            serialize_struct(&'static str, usize) -> Self::SerializeStruct;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
        }

        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<$ok, Error> {
            value.serialize(self)
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<$ok, Error> {
            value.serialize(self)
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<$ok, Error> {
            Err(Error::custom("a row has no variants"))
        }
    };
}

impl<'a> Serializer for Row<'a> {
    type SerializeMap = Row<'a>;

    all_but!(Option<Value>);

    refused! { serialize_str(&str) -> Option<Value>; }

    fn serialize_map(self, _: Option<usize>) -> Result<Row<'a>, Error> {
        Ok(self)
    }
}

impl Serializer for IsName<'_> {
    type SerializeMap = Impossible<bool, Error>;

    all_but!(bool);

    fn serialize_str(self, key: &str) -> Result<bool, Error> {
        Ok(key == self.0)
    }

    refused! { serialize_map(Option<usize>) -> Self::SerializeMap; }
}
