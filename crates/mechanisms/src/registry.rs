//! The registry of a folder: one line for each mechanism, and everything that has to know all of them.

use tailback_spec::View;

/// Lists the mechanisms of a folder: `module::Type` of a module with an `ENTRY`, where the type implements the folder's trait `Listed`.
/// After `beside` come mechanisms that no spec can name. The macro makes the enum `Any`, the table `ENTRIES` and `idle()`, the `IDLE` of
/// all mechanisms. Then it takes:
///
/// - `fn name(view: View, ...) -> ...;` asks the mechanism of the kind that `view` has: it calls the function of that name of `Listed`.
///   If it returns `Any` or `Result<Any, Refusal>`, that of `Listed` returns `Self`: a constructor;
/// - `impl Contract { fn method(&self, ...) -> ...; }` forwards the methods of a contract of the engine to the mechanism. Before a method,
///   `usually Type` names the mechanism that the loop inlines, and `into` converts what it returns; `paired`
///   hands over the same mechanism of another part of the network.
macro_rules! registry {
    ($($module:ident::$type:ident),+; beside $($beside:ident::$beside_type:ident),+; $($rest:tt)*) => {
        crate::registry::registry! {
            @all [$($module::$type)+] [$($module::$type)+ $($beside::$beside_type)+] $($rest)*
        }
    };
    ($($module:ident::$type:ident),+; $($rest:tt)*) => {
        crate::registry::registry! { @all [$($module::$type)+] [$($module::$type)+] $($rest)* }
    };
    (@all [$($module:ident::$type:ident)+] [$($any_module:ident::$any:ident)+] $($rest:tt)*) => {
        /// Any mechanism of this folder.
        #[derive(Clone, Debug)]
        #[expect(missing_docs, reason = "each is the type of that name, which says it")]
        pub enum Any {
            $($any($any_module::$any)),+
        }

        /// What the spec may name.
        pub static ENTRIES: &[&tailback_spec::Entry] = &[$(&$module::ENTRY),+];

        /// Where parameters of single mechanisms have no effect.
        fn idle() -> impl Iterator<Item = &'static tailback_spec::Idle> {
            [$(<$module::$type as Listed>::IDLE),+].into_iter().flatten()
        }

        crate::registry::registry! { @items [$($module::$type)+] [$($any)+] $($rest)* }
    };

    (@items $kinds:tt $all:tt) => {};
    (@items $kinds:tt $all:tt
        $(#[$meta:meta])* $vis:vis fn $name:ident($view:ident: View $(, $arg:ident: $ty:ty)*) -> $($rest:tt)*
    ) => {
        crate::registry::registry! {
            @function $kinds $all [$(#[$meta])* $vis fn $name] [$name $view ($view $(, $arg)*)] ($view: View $(, $arg: $ty)*) $($rest)*
        }
    };
    (@items $kinds:tt $all:tt impl $contract:ident { $($methods:tt)* } $($rest:tt)*) => {
        impl $contract for Any {
            crate::registry::registry! { @methods $all $($methods)* }
        }
        crate::registry::registry! { @items $kinds $all $($rest)* }
    };

    (@function [$($module:ident::$type:ident)+] $all:tt [$($head:tt)*] [$name:ident $view:ident $call:tt] $args:tt Any; $($rest:tt)*) => {
        $($head)* $args -> Any {
            $(if $view.kind() == $module::ENTRY.name {
                return Any::$type(<$module::$type as Listed>::$name $call);
            })+
            crate::registry::unknown($view)
        }
        crate::registry::registry! { @items [$($module::$type)+] $all $($rest)* }
    };
    (@function [$($module:ident::$type:ident)+] $all:tt [$($head:tt)*] [$name:ident $view:ident $call:tt] $args:tt Result<Any, Refusal>; $($rest:tt)*) => {
        $($head)* $args -> Result<Any, Refusal> {
            $(if $view.kind() == $module::ENTRY.name {
                return <$module::$type as Listed>::$name $call.map(Any::$type);
            })+
            crate::registry::unknown($view)
        }
        crate::registry::registry! { @items [$($module::$type)+] $all $($rest)* }
    };
    (@function [$($module:ident::$type:ident)+] $all:tt [$($head:tt)*] [$name:ident $view:ident $call:tt] $args:tt $result:ty; $($rest:tt)*) => {
        $($head)* $args -> $result {
            $(if $view.kind() == $module::ENTRY.name {
                return <$module::$type as Listed>::$name $call;
            })+
            crate::registry::unknown($view)
        }
        crate::registry::registry! { @items [$($module::$type)+] $all $($rest)* }
    };

    (@methods $all:tt) => {};
    (@methods $all:tt type $type:ident = $is:ty; $($rest:tt)*) => {
        type $type = $is;
        crate::registry::registry! { @methods $all $($rest)* }
    };
    (@methods [$($kind:ident)+] into fn $name:ident(& $self:ident, $arg:ident: $ty:ty) -> $result:ty; $($rest:tt)*) => {
        fn $name(&$self, $arg: $ty) -> $result {
            match $self {
                $(Any::$kind(kind) => kind.$name($arg).into(),)+
            }
        }
        crate::registry::registry! { @methods [$($kind)+] $($rest)* }
    };
    (@methods [$($kind:ident)+] paired fn $name:ident(&mut $self:ident, $part:ident: &Self, $arg:ident: $ty:ty); $($rest:tt)*) => {
        fn $name(&mut $self, $part: &Self, $arg: $ty) {
            match ($self, $part) {
                $((Any::$kind(kind), Any::$kind($part)) => kind.$name($part, $arg),)+
                _ => unreachable!("all parts of a network have the same mechanism"),
            }
        }
        crate::registry::registry! { @methods [$($kind)+] $($rest)* }
    };
    (@methods $all:tt usually $kind:ident
        $(#[$meta:meta])* fn $name:ident(& $self:ident $(, $arg:ident: $ty:ty)*) -> $result:ty; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&$self $(, $arg: $ty)*) -> $result {
            #[cold]
            fn other(any: &Any $(, $arg: $ty)*) -> $result {
                crate::registry::registry! { @match $all any $name ($($arg),*) }
            }
            match $self {
                Any::$kind(usual) => usual.$name($($arg),*),
                any => other(any $(, $arg)*),
            }
        }
        crate::registry::registry! { @methods $all $($rest)* }
    };
    (@methods $all:tt
        $(#[$meta:meta])* fn $name:ident(&mut $self:ident $(, $arg:ident: $ty:ty)*) $(-> $result:ty)?; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&mut $self $(, $arg: $ty)*) $(-> $result)? {
            crate::registry::registry! { @match $all $self $name ($($arg),*) }
        }
        crate::registry::registry! { @methods $all $($rest)* }
    };
    (@methods $all:tt
        $(#[$meta:meta])* fn $name:ident(& $self:ident $(, $arg:ident: $ty:ty)*) $(-> $result:ty)?; $($rest:tt)*
    ) => {
        $(#[$meta])*
        fn $name(&$self $(, $arg: $ty)*) $(-> $result)? {
            crate::registry::registry! { @match $all $self $name ($($arg),*) }
        }
        crate::registry::registry! { @methods $all $($rest)* }
    };
    (@match [$($kind:ident)+] $any:ident $name:ident $args:tt) => {
        match $any {
            $(Any::$kind(kind) => kind.$name $args,)+
        }
    };
}
pub(crate) use registry;

/// A resolved section has a kind of the catalogue, which is made of the registries.
pub(crate) fn unknown(view: View) -> ! {
    unreachable!("no mechanism of this section is called `{}`", view.kind())
}
