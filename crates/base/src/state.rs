//! What a checkpoint holds: the state of a network as bytes, and back into a network built from the same spec.
//!
//! Only what cannot be rebuilt from the spec is saved. So a state is restored in place: everything stands already, with its
//! tables and its sizes, and a byte that does not fit what stands is refused ([`Unfit`]). A structure says with [`state!`](crate::state!)
//! of each of its fields whether it is saved or rebuilt, and one that forgets a field does not compile.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;

/// Can be saved, and restored in what was built alike.
pub trait State {
    /// Writes all that has changed since it was built.
    fn save(&self, to: &mut Writer);

    /// Takes over what [`State::save`] wrote. After an error `self` is of no more use.
    ///
    /// # Errors
    /// What does not fit.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
}

/// Why a state does not fit what it is to be restored into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(String);

impl Unfit {
    /// For this reason.
    pub fn new(why: impl Into<String>) -> Unfit {
        Unfit(why.into())
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

/// `Ok` where it `holds`.
///
/// # Errors
/// `why`, where it does not.
pub fn ensure(holds: bool, why: &str) -> Result<(), Unfit> {
    if holds { Ok(()) } else { Err(Unfit::new(why)) }
}

/// The most that a number which is counted up has come to: sums of several of them still fit.
pub const MOST: u64 = 1 << 60;

/// That numbers which are counted up leave room to count on.
///
/// # Errors
/// Where one is above [`MOST`].
pub fn are_counts(counts: impl IntoIterator<Item = u64>) -> Result<(), Unfit> {
    ensure(counts.into_iter().all(|count| count <= MOST), "a number is larger than anybody has counted")
}

/// Bytes in the making.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Writes plain data.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(value, bytes).expect("plain data is of known length, and memory takes it");
    }

    /// Writes what can be skipped as a whole.
    pub fn section(&mut self, name: &str, write: impl FnOnce(&mut Writer)) {
        let mut inside = Writer::default();
        write(&mut inside);
        self.put(name);
        self.put(&inside.bytes.len());
        self.bytes.extend_from_slice(&inside.bytes);
    }

    /// All that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Bytes that have not been read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
    /// Sections that are not taken over.
    anew: &'a [&'a str],
    /// What the numbers of routers are below; see [`Reader::routers`].
    routers: u32,
}

impl<'a> Reader<'a> {
    /// Of what a [`Writer`] wrote. What stands in the sections named `anew` is left as it was built.
    pub fn new(bytes: &'a [u8], anew: &'a [&'a str]) -> Reader<'a> {
        Reader { left: bytes, anew, routers: 0 }
    }

    /// Reads plain data.
    ///
    /// # Errors
    /// Where the bytes are none of this type.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T, Unfit> {
        // Of an enum or a number it says what is wrong no better than this.
        let (value, left) =
            postcard::take_from_bytes(self.left).map_err(|_| Unfit::new("a value is not of its kind"))?;
        self.left = left;
        Ok(value)
    }

    /// The length of what follows, of which every item takes a byte at least.
    ///
    /// # Errors
    /// Where so much cannot follow.
    pub fn length(&mut self) -> Result<usize, Unfit> {
        let length: usize = self.take()?;
        ensure(length <= self.left.len(), "a list ends before its end")?;
        Ok(length)
    }

    /// Reads what [`Writer::section`] wrote; `read` has to read all of it. `false` where the section is not taken over.
    ///
    /// # Errors
    /// The errors of `read`, and a section with another name.
    pub fn section(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Reader<'a>) -> Result<(), Unfit>,
    ) -> Result<bool, Unfit> {
        let found: String = self.take()?;
        ensure(found == name, "its sections are others")?;
        let length = self.length()?;
        let (inside, left) = self.left.split_at(length);
        self.left = left;
        if self.anew.contains(&name) {
            return Ok(false);
        }
        let mut inside = Reader { left: inside, ..self.clone() };
        read(&mut inside)?;
        inside.end()?;
        Ok(true)
    }

    /// Passes over what is left of a section.
    pub fn skip(&mut self) {
        self.left = &[];
    }

    /// What the numbers of routers in the rest are below: whoever checks none of them when it is used has it checked when it
    /// is read. Until it is told, no number is allowed.
    pub fn set_routers(&mut self, routers: u32) {
        self.routers = routers;
    }

    /// The number of a router.
    ///
    /// # Errors
    /// Where there is no such router.
    pub fn router(&mut self) -> Result<u32, Unfit> {
        let router: u32 = self.take()?;
        ensure(router < self.routers, "it names a router that is not there")?;
        Ok(router)
    }

    /// Nothing is left.
    ///
    /// # Errors
    /// Where something is.
    pub fn end(&self) -> Result<(), Unfit> {
        ensure(self.left.is_empty(), "something is left over")
    }
}

/// Saves a list whose length changes.
pub fn save_grown<T: State>(list: &[T], to: &mut Writer) {
    to.put(&list.len());
    list.iter().for_each(|item| item.save(to));
}

/// Restores a list whose length changes. What was reserved stays reserved.
///
/// # Errors
/// The first item that does not fit.
pub fn restore_grown<T: State + Default>(list: &mut Vec<T>, from: &mut Reader<'_>) -> Result<(), Unfit> {
    list.clear();
    for _ in 0..from.length()? {
        let mut item = T::default();
        item.restore(from)?;
        list.push(item);
    }
    Ok(())
}

/// Says that types are plain data: they are written and read as [`serde`] has it.
#[macro_export]
macro_rules! plain {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::state::State for $type {
            #[inline]
            fn save(&self, to: &mut $crate::state::Writer) {
                to.put(self);
            }

            #[inline]
            fn restore(&mut self, from: &mut $crate::state::Reader<'_>) -> Result<(), $crate::state::Unfit> {
                *self = from.take()?;
                Ok(())
            }
        }
    )+};
}

/// Says which fields of a structure a checkpoint holds, in braces after its name: `saved: a, b;` those whose size the spec
/// fixes, `grown: c;` lists that are longer or shorter in time, `by way: d;` one that `way::save` and `way::restore` take care
/// of, `rebuilt: e;` those that building gives again. Then, in brackets, a method that checks what was restored. A field that is
/// forgotten does not compile.
///
/// ```
/// # use tailback_base::state::*;
/// struct Queue { capacity: usize, longest: usize, items: Vec<u32> }
/// tailback_base::state!([] Queue { saved: longest; grown: items; rebuilt: capacity; } [fits]);
///
/// impl Queue {
///     fn fits(&self) -> Result<(), Unfit> {
///         ensure(self.items.len() <= self.capacity, "a queue is too long")
///     }
/// }
///
/// let mut to = Writer::default();
/// Queue { capacity: 2, longest: 2, items: vec![7] }.save(&mut to);
/// let bytes = to.into_bytes();
/// let mut built = Queue { capacity: 2, longest: 0, items: vec![] };
/// built.restore(&mut Reader::new(&bytes, &[])).unwrap();
/// assert_eq!((built.longest, built.items), (2, vec![7]));
/// ```
#[macro_export]
macro_rules! state {
    ([$($generics:tt)*] $type:ty {
        saved: $($saved:ident),* $(,)?;
        $(grown: $($grown:ident),+ $(,)?;)?
        $(by $way:ident: $by:ident;)*
        $(rebuilt: $($rebuilt:ident),+ $(,)?;)?
    } $([$check:ident])?) => {
        impl<$($generics)*> $crate::state::State for $type {
            fn save(&self, to: &mut $crate::state::Writer) {
                let Self { $($saved,)* $($($grown,)+)? $($by,)* $($($rebuilt: _,)+)? } = self;
                $($crate::state::State::save($saved, to);)*
                $($($crate::state::save_grown($grown, to);)+)?
                $($way::save($by, to);)*
                let _ = to;
            }

            fn restore(&mut self, from: &mut $crate::state::Reader<'_>) -> Result<(), $crate::state::Unfit> {
                let Self { $($saved,)* $($($grown,)+)? $($by,)* $($($rebuilt: _,)+)? } = self;
                $($crate::state::State::restore($saved, from)?;)*
                $($($crate::state::restore_grown($grown, from)?;)+)?
                $($way::restore($by, from)?;)*
                let _ = from;
                $(self.$check()?;)?
                Ok(())
            }
        }
    };
}

/// Says that types have no state: nothing of them changes after they are built.
#[macro_export]
macro_rules! stateless {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::state::State for $type {
            fn save(&self, _to: &mut $crate::state::Writer) {}

            fn restore(&mut self, _from: &mut $crate::state::Reader<'_>) -> Result<(), $crate::state::Unfit> {
                Ok(())
            }
        }
    )+};
}

/// Says that the state of a type is not all in this program, or is not worth it, so that no checkpoint holds it; and why.
#[macro_export]
macro_rules! unsaved {
    ($type:ty, $why:literal) => {
        impl $crate::state::State for $type {
            fn save(&self, _to: &mut $crate::state::Writer) {}

            fn restore(&mut self, _from: &mut $crate::state::Reader<'_>) -> Result<(), $crate::state::Unfit> {
                Err($crate::state::Unfit::new($why))
            }
        }
    };
}

plain!(bool, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, f64, String);

impl<T: State> State for [T] {
    fn save(&self, to: &mut Writer) {
        to.put(&self.len());
        self.iter().for_each(|item| item.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let length: usize = from.take()?;
        if length != self.len() {
            return Err(Unfit::new(format!("a table has {length} entries, and {} are due", self.len())));
        }
        self.iter_mut().try_for_each(|item| item.restore(from))
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, to: &mut Writer) {
        self.iter().for_each(|item| item.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.iter_mut().try_for_each(|item| item.restore(from))
    }
}

/// A list of one length for ever; one whose length changes is `grown`.
impl<T: State> State for Vec<T> {
    fn save(&self, to: &mut Writer) {
        self.as_slice().save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.as_mut_slice().restore(from)
    }
}

/// A queue of any length.
impl<T: State + Default> State for VecDeque<T> {
    fn save(&self, to: &mut Writer) {
        to.put(&self.len());
        self.iter().for_each(|item| item.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.clear();
        for _ in 0..from.length()? {
            let mut item = T::default();
            item.restore(from)?;
            self.push_back(item);
        }
        Ok(())
    }
}

/// A map of any size.
impl<K: Serialize + DeserializeOwned + Ord, T: State + Default> State for BTreeMap<K, T> {
    fn save(&self, to: &mut Writer) {
        save_map(self.iter(), to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.clear();
        restore_map(from, |key, item| self.insert(key, item).is_none())
    }
}

/// Of any size; in the order of its keys, so that one state is always the same bytes.
impl<K: Serialize + DeserializeOwned + Ord + Hash, T: State + Default> State for HashMap<K, T> {
    fn save(&self, to: &mut Writer) {
        save_map(self.iter().collect::<BTreeMap<_, _>>().into_iter(), to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.clear();
        restore_map(from, |key, item| self.insert(key, item).is_none())
    }
}

fn save_map<'m, K: Serialize + 'm, T: State + 'm>(
    items: impl ExactSizeIterator<Item = (&'m K, &'m T)>,
    to: &mut Writer,
) {
    to.put(&items.len());
    items.for_each(|(key, item)| {
        to.put(key);
        item.save(to);
    });
}

fn restore_map<K: DeserializeOwned, T: State + Default>(
    from: &mut Reader<'_>,
    mut insert: impl FnMut(K, T) -> bool,
) -> Result<(), Unfit> {
    for _ in 0..from.length()? {
        let (key, mut item) = (from.take()?, T::default());
        item.restore(from)?;
        ensure(insert(key, item), "something is there twice")?;
    }
    Ok(())
}

impl<T: State + ?Sized> State for Box<T> {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        (**self).restore(from)
    }
}

/// Something that is there or not according to the spec.
impl<T: State> State for Option<T> {
    fn save(&self, to: &mut Writer) {
        to.put(&self.is_some());
        if let Some(there) = self {
            there.save(to);
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        match (from.take()?, self) {
            (true, Some(there)) => there.restore(from),
            (false, None) => Ok(()),
            _ => Err(Unfit::new("something is there that is not due, or is not there that is")),
        }
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.0.restore(from)?;
        self.1.restore(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(state: &impl State) -> Vec<u8> {
        let mut to = Writer::default();
        state.save(&mut to);
        to.into_bytes()
    }

    fn restored<T: State>(mut built: T, bytes: &[u8]) -> Result<T, Unfit> {
        let mut from = Reader::new(bytes, &[]);
        built.restore(&mut from)?;
        from.end()?;
        Ok(built)
    }

    #[test]
    fn what_is_built_alike_takes_it_over() {
        let state = (vec![1u64, u64::MAX], ([Some(-1i8), None], f64::NEG_INFINITY));
        let bytes = bytes_of(&state);
        assert_eq!(restored((vec![0, 0], ([Some(0), None], 0.0)), &bytes), Ok(state));
        assert!(
            restored((vec![0], ([Some(0), None], 0.0)), &bytes).unwrap_err().to_string().contains("2 entries, and 1")
        );
        assert!(restored((vec![0, 0], ([None::<i8>, None], 0.0)), &bytes).is_err());
        assert!(restored((vec![0, 0], ([Some(0), None], 0.0)), &bytes[..bytes.len() - 1]).is_err());
        assert!(restored((vec![0u64, 0], [Some(0i8), None]), &bytes).unwrap_err().to_string().contains("left over"));
    }

    #[test]
    fn a_length_that_lies_costs_nothing() {
        let mut to = Writer::default();
        to.put(&u64::MAX);
        let mut list: Vec<u64> = Vec::new();
        assert!(restore_grown(&mut list, &mut Reader::new(&to.into_bytes(), &[])).is_err());
        assert_eq!(list.capacity(), 0);
    }

    #[test]
    fn sections_can_be_left_as_they_were_built() {
        let mut to = Writer::default();
        to.section("one", |to| to.put(&7u8));
        to.put(&9u8);
        let bytes = to.into_bytes();
        let read = |anew: &[&str]| {
            let (mut from, mut one) = (Reader::new(&bytes, anew), 0u8);
            let taken = from.section("one", |from| one.restore(from)).unwrap();
            (taken, one, from.take::<u8>().unwrap())
        };
        assert_eq!(read(&[]), (true, 7, 9));
        assert_eq!(read(&["one"]), (false, 0, 9));
        assert!(Reader::new(&bytes, &[]).section("two", |_| Ok(())).is_err());
        assert!(Reader::new(&bytes, &[]).section("one", |_| Ok(())).unwrap_err().to_string().contains("left over"));
    }

    #[test]
    fn routers_are_checked_where_they_are_read() {
        let bytes = bytes_of(&3u32);
        assert!(Reader::new(&bytes, &[]).router().is_err(), "nobody said how many there are");
        let mut from = Reader::new(&bytes, &[]);
        from.set_routers(3);
        assert!(from.clone().router().is_err());
        from.set_routers(4);
        assert_eq!(from.router(), Ok(3));
    }
}
