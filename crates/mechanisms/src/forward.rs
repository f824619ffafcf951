//! Enums that forward the methods of a contract to what they hold, without a table of pointers.

/// In an `impl` of a contract for an enum: the enum, its variants, each of which holds a value that implements the contract, and the signatures
/// to forward. Before a method, `usually Variant` names the one that the loop inlines, and `or Variant` another one that it asks at once;
/// `into` converts what it returns; `paired` hands over the same variant of another part of the network.
macro_rules! forward {
    (@match $enum:ident [$($kind:ident)+] $any:ident $name:ident $args:tt) => {
        match $any {
            $($enum::$kind(kind) => kind.$name $args,)+
        }
    };
    ($enum:ident $all:tt) => {};
    ($enum:ident $all:tt type $type:ident = $is:ty; $($rest:tt)*) => {
        type $type = $is;
        crate::forward::forward! { $enum $all $($rest)* }
    };
    ($enum:ident [$($kind:ident)+] into fn $name:ident(& $self:ident, $arg:ident: $ty:ty) -> $result:ty; $($rest:tt)*) => {
        fn $name(&$self, $arg: $ty) -> $result {
            match $self {
                $($enum::$kind(kind) => kind.$name($arg).into(),)+
            }
        }
        crate::forward::forward! { $enum [$($kind)+] $($rest)* }
    };
    ($enum:ident [$($kind:ident)+] paired fn $name:ident(&mut $self:ident, $part:ident: &Self, $arg:ident: $ty:ty); $($rest:tt)*) => {
        fn $name(&mut $self, $part: &Self, $arg: $ty) {
            match ($self, $part) {
                $(($enum::$kind(kind), $enum::$kind($part)) => kind.$name($part, $arg),)+
                _ => unreachable!("all parts of a network have the same mechanism"),
            }
        }
        crate::forward::forward! { $enum [$($kind)+] $($rest)* }
    };
    ($enum:ident $all:tt usually $kind:ident or $second:ident
        $(#[$meta:meta])* fn $name:ident(& $self:ident $(, $arg:ident: $ty:ty)*) -> $result:ty; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&$self $(, $arg: $ty)*) -> $result {
            #[cold]
            fn other(any: &$enum $(, $arg: $ty)*) -> $result {
                crate::forward::forward! { @match $enum $all any $name ($($arg),*) }
            }
            match $self {
                $enum::$kind(usual) => usual.$name($($arg),*),
                $enum::$second(second) => second.$name($($arg),*),
                any => other(any $(, $arg)*),
            }
        }
        crate::forward::forward! { $enum $all $($rest)* }
    };
    ($enum:ident $all:tt usually $kind:ident
        $(#[$meta:meta])* fn $name:ident(& $self:ident $(, $arg:ident: $ty:ty)*) -> $result:ty; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&$self $(, $arg: $ty)*) -> $result {
            #[cold]
            fn other(any: &$enum $(, $arg: $ty)*) -> $result {
                crate::forward::forward! { @match $enum $all any $name ($($arg),*) }
            }
            match $self {
                $enum::$kind(usual) => usual.$name($($arg),*),
                any => other(any $(, $arg)*),
            }
        }
        crate::forward::forward! { $enum $all $($rest)* }
    };
    ($enum:ident $all:tt
        $(#[$meta:meta])* fn $name:ident(&mut $self:ident $(, $arg:ident: $ty:ty)*) $(-> $result:ty)?; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&mut $self $(, $arg: $ty)*) $(-> $result)? {
            crate::forward::forward! { @match $enum $all $self $name ($($arg),*) }
        }
        crate::forward::forward! { $enum $all $($rest)* }
    };
    ($enum:ident $all:tt
        $(#[$meta:meta])* fn $name:ident(& $self:ident $(, $arg:ident: $ty:ty)*) $(-> $result:ty)?; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&$self $(, $arg: $ty)*) $(-> $result)? {
            crate::forward::forward! { @match $enum $all $self $name ($($arg),*) }
        }
        crate::forward::forward! { $enum $all $($rest)* }
    };
}
pub(crate) use forward;

/// In an `impl` of `Routing` for what narrows the channels of `inner`: what has nothing to do with channels.
macro_rules! by_inner {
    () => {
        fn expect(&self, router: u32) {
            self.inner.expect(router);
        }

        fn straight(&self, port: u8, word: u32) -> (u32, u32) {
            self.inner.straight(port, word)
        }

        fn offsets(&self, router: u32, packet: &tailback_engine::packet::Packet) -> [i32; 6] {
            self.inner.offsets(router, packet)
        }

        fn variety(&self) -> tailback_engine::contract::routing::Variety {
            self.inner.variety()
        }

        fn even_draws(&self) -> Vec<u32> {
            self.inner.even_draws()
        }

        fn coins(&self, router: u32, packet: &tailback_engine::packet::Packet) -> u32 {
            self.inner.coins(router, packet)
        }

        fn advance(&self, port: u8, word: u32) -> u32 {
            self.inner.advance(port, word)
        }

        fn fits(&self, router: u32, packet: &tailback_engine::packet::Packet, word: u32) -> bool {
            self.inner.fits(router, packet, word)
        }
    };
}
pub(crate) use by_inner;
