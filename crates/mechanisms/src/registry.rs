//! The registry of a folder: one line for each mechanism, and everything that has to know all of them.

use tailback_spec::View;

/// Lists the mechanisms of a folder: a contract of the engine, then each `module::Type` with its `module::ENTRY`. After `beside` come
/// mechanisms that no spec can name. The macro makes the enum `Any`, the table `ENTRIES` and the trait `Listed`, which each type
/// implements: its constructor, and what others may ask before it is built. These items may follow:
///
/// - `section { ... }`: the folder's section of a spec;
/// - `fn name(view: View, ...) -> ...;`: a function of `Listed`, with a default if it has a body. The function of that name in the folder
///   asks the mechanism of the kind that `view` has. What returns `Any` or `Result<Any, Refusal>` is a constructor, of `Self`;
/// - `const NAME as name: ...;`: the same of a constant;
/// - `impl Contract { fn method(&self, ...) -> ...; }`: methods that `Any` forwards to its mechanism ([`crate::forward`]).
macro_rules! registry {
    ($(#[$meta:meta])* $contract:ident: $($module:ident::$type:ident),+;
        beside $($beside:ident::$beside_type:ident),+; $($rest:tt)*
    ) => {
        crate::registry::registry! {
            @all [$(#[$meta])* pub trait Listed: $contract + Sized] [$($module::$type)+]
                [$($module::$type)+ $($beside::$beside_type)+] $($rest)*
        }
    };
    ($(#[$meta:meta])* $contract:ident: $($module:ident::$type:ident),+; $($rest:tt)*) => {
        crate::registry::registry! {
            @all [$(#[$meta])* pub trait Listed: $contract + Sized] [$($module::$type)+] [$($module::$type)+] $($rest)*
        }
    };
    (@all $head:tt [$($module:ident::$type:ident)+] [$($any_module:ident::$any:ident)+] $($rest:tt)*) => {
        /// Any mechanism of this folder.
        #[derive(Clone, Debug)]
        #[expect(missing_docs, reason = "each is the type of that name, which says it")]
        pub enum Any {
            $($any($any_module::$any)),+
        }

        /// What the spec may name.
        pub static ENTRIES: &[&tailback_spec::Entry] = &[$(&$module::ENTRY),+];

        crate::registry::registry! { @items ($head [$($module::$type)+] [$($any)+]) [] $($rest)* }
    };

    (@items ([$($head:tt)*] [$($module:ident::$type:ident)+] $all:tt) [$($items:tt)*]) => {
        #[allow(unused_variables, reason = "defaults go by little")]
        $($head)* {
            /// Where parameters of it have no effect.
            const IDLE: &'static [tailback_spec::Idle] = &[];

            /// Its parameters in a network of sixteen routers, in which it hardly does anything with the defaults: suites try it with
            /// them.
            const SMALL: &'static str = "";

            $($items)*
        }

        /// The parameters of a kind in a small network (`Listed::SMALL`), as a spec says them; empty for the defaults.
        pub fn small(kind: &str) -> &'static str {
            $(if kind == $module::ENTRY.name {
                return <$module::$type as Listed>::SMALL;
            })+
            ""
        }
    };
    (@items ($head:tt [$($module:ident::$type:ident)+] $all:tt) $items:tt
        section { path: $path:literal, doc: $doc:literal, default: $default:ident, params: $params:expr, idle: $idle:expr }
        $($rest:tt)*
    ) => {
        #[doc = concat!("The `", $path, "` section.")]
        pub fn section() -> tailback_spec::Section {
            let own = [$(<$module::$type as Listed>::IDLE),+].into_iter().flatten();
            tailback_spec::Section {
                path: $path,
                doc: $doc,
                params: $params,
                entries: ENTRIES.to_vec(),
                default_entry: Some($default::ENTRY.name),
                idle: own.chain($idle).collect(),
            }
        }
        crate::registry::registry! { @items ($head [$($module::$type)+] $all) $items $($rest)* }
    };
    (@items ($head:tt [$($module:ident::$type:ident)+] $all:tt) [$($items:tt)*]
        $(#[$meta:meta])* const $name:ident as $ask:ident: $is:ty $(= $default:expr)?; $($rest:tt)*
    ) => {
        $(#[$meta])*
        pub fn $ask(view: View) -> $is {
            $(if view.kind() == $module::ENTRY.name {
                return <$module::$type as Listed>::$name;
            })+
            crate::registry::unknown(view)
        }
        crate::registry::registry! {
            @items ($head [$($module::$type)+] $all) [$($items)* $(#[$meta])* const $name: $is $(= $default)?;] $($rest)*
        }
    };
    (@items $state:tt $items:tt
        $(#[$meta:meta])* $vis:vis fn $name:ident($view:ident: View $(, $arg:ident: $ty:ty)*) -> $($rest:tt)*
    ) => {
        crate::registry::registry! {
            @function $state $items [$(#[$meta])*] [$vis] [$name $view ($view $(, $arg)*)] ($view: View $(, $arg: $ty)*) $($rest)*
        }
    };
    (@items ($head:tt $kinds:tt $all:tt) $items:tt impl $contract:ident { $($methods:tt)* } $($rest:tt)*) => {
        impl $contract for Any {
            crate::forward::forward! { Any $all $($methods)* }
        }
        crate::registry::registry! { @items ($head $kinds $all) $items $($rest)* }
    };

    (@function $state:tt [$($items:tt)*] [$($meta:tt)*] $vis:tt [$name:ident $view:ident $call:tt] $args:tt Any; $($rest:tt)*) => {
        crate::registry::registry! { @ask $state [$($meta)*] $vis [$name $view $call] [$args -> Any] [Any::] }
        crate::registry::registry! { @items $state [$($items)* $($meta)* fn $name $args -> Self;] $($rest)* }
    };
    (@function $state:tt [$($items:tt)*] [$($meta:tt)*] $vis:tt [$name:ident $view:ident $call:tt] $args:tt Result<Any, Refusal>;
        $($rest:tt)*
    ) => {
        crate::registry::registry! { @ask $state [$($meta)*] $vis [$name $view $call] [$args -> Result<Any, Refusal>] [Ok(Any::)] }
        crate::registry::registry! { @items $state [$($items)* $($meta)* fn $name $args -> Result<Self, Refusal>;] $($rest)* }
    };
    (@function $state:tt [$($items:tt)*] [$($meta:tt)*] $vis:tt [$name:ident $view:ident $call:tt] $args:tt Result<Any, Refusal> $default:block
        $($rest:tt)*
    ) => {
        crate::registry::registry! { @ask $state [$($meta)*] $vis [$name $view $call] [$args -> Result<Any, Refusal>] [Ok(Any::)] }
        crate::registry::registry! { @items $state [$($items)* $($meta)* fn $name $args -> Result<Self, Refusal> $default] $($rest)* }
    };
    (@function $state:tt [$($items:tt)*] [$($meta:tt)*] $vis:tt [$name:ident $view:ident $call:tt] $args:tt $result:ty; $($rest:tt)*) => {
        crate::registry::registry! { @ask $state [$($meta)*] $vis [$name $view $call] [$args -> $result] [] }
        crate::registry::registry! { @items $state [$($items)* $($meta)* fn $name $args -> $result;] $($rest)* }
    };
    (@function $state:tt [$($items:tt)*] [$($meta:tt)*] $vis:tt [$name:ident $view:ident $call:tt] $args:tt $result:ty $default:block
        $($rest:tt)*
    ) => {
        crate::registry::registry! { @ask $state [$($meta)*] $vis [$name $view $call] [$args -> $result] [] }
        crate::registry::registry! { @items $state [$($items)* $($meta)* fn $name $args -> $result $default] $($rest)* }
    };
    (@ask ($head:tt [$($module:ident::$type:ident)+] $all:tt) [$($meta:tt)*] [$vis:vis] [$name:ident $view:ident $call:tt]
        [$($signature:tt)*] $made:tt
    ) => {
        $($meta)*
        $vis fn $name $($signature)* {
            $(if $view.kind() == $module::ENTRY.name {
                let asked = <$module::$type as Listed>::$name $call;
                return crate::registry::registry! { @made $type asked $made };
            })+
            crate::registry::unknown($view)
        }
    };
    (@made $type:ident $asked:ident [Any::]) => { Any::$type($asked) };
    (@made $type:ident $asked:ident [Ok(Any::)]) => { $asked.map(Any::$type) };
    (@made $type:ident $asked:ident []) => { $asked };
}
pub(crate) use registry;

/// A resolved section has a kind of the catalogue, which is made of the registries.
pub(crate) fn unknown(view: View) -> ! {
    unreachable!("no mechanism of this section is called `{}`", view.kind())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The names of the functions in a text.
    fn functions(text: &str) -> Vec<&str> {
        text.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next()).collect()
    }

    #[test]
    fn a_method_with_a_default_is_forwarded_too() {
        let contracts = [
            ("admission", "admission", "Admission"),
            ("arbiter", "arbiter", "Arbiter"),
            ("flow_control", "flow_control", "FlowControl"),
            ("injection", "interface", "Injection"),
            ("queueing", "queueing", "Discipline"),
            ("queueing", "queueing", "Queueing"),
            ("recovery", "recovery", "Recovery"),
            ("routing", "routing", "Routing"),
            ("selection", "selection", "Selection"),
        ];
        let mechanisms = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: String| std::fs::read_to_string(mechanisms.join(&path)).expect("a source file");
        for (file, folder, name) in contracts {
            let contract = read(format!("../engine/src/contract/{file}.rs"));
            let (_, contract) = contract.split_once(&format!("pub trait {name}")).expect("the contract");
            let contract = &contract[..contract.find("\n}\n").expect("its end")];
            let registry = read(format!("src/{folder}/mod.rs"));
            let forwarded = functions(&registry);
            let methods = functions(contract);
            assert!(!methods.is_empty());
            for method in methods {
                assert!(forwarded.contains(&method), "{name}::{method} is called for no mechanism");
            }
        }
    }
}
