//! The registry of probes: one line for each, and everything that has to know all of them.

/// Lists the probes: `always` those that every run has, `asked` the others; the field of [`crate::Watch`], then the type. The macro makes
/// that struct with its state, its hooks and its sums, the section `probes` of the catalogue, and the lists of switches and pictures.
macro_rules! registry {
    ($($(#[$meta:meta])* $how:ident $field:ident: $type:ty,)+) => {
        /// The probes of a run, as the engine takes them.
        pub struct Watch {
            $($(#[$meta])* pub $field: crate::registry::registry!(@type $how $type),)+
            beside: Option<Box<dyn Beside>>,
        }

        tailback_base::state!([] Watch { saved: $($field),+; rebuilt: beside; });

        impl Watch {
            /// The probes that a spec asks for, and those that every run has.
            pub fn new(site: &Site<'_>) -> Self {
                Watch { $($field: crate::registry::registry!(@new $how $type, site),)+ beside: None }
            }

            /// The probes that every run has, and a watcher that no spec can name.
            pub fn with(site: &Site<'_>, watcher: impl Beside) -> Self {
                let beside: Option<Box<dyn Beside>> = Some(Box::new(watcher));
                Watch { $($field: crate::registry::registry!(@least $how $type, site),)+ beside }
            }

            /// The same probes, and a watcher that no spec can name in the place of the one so far.
            pub fn look_beside(&mut self, watcher: Option<Box<dyn Beside>>) {
                self.beside = watcher;
            }

            /// The watcher of that type that no spec can name.
            ///
            /// # Panics
            /// Where there is none of that type.
            pub fn watcher<P: Beside>(&mut self) -> &mut P {
                let beside: &mut dyn Any = self.beside.as_deref_mut().expect("there is a watcher");
                beside.downcast_mut().expect("it is of this type")
            }

            /// The parameter of a probe that is on and looks at the whole network, so that what was seen in its parts does not add up.
            pub fn unmergeable(&self) -> Option<&'static str> {
                $(if crate::registry::registry!(@some $how self.$field).is_some() && <$type>::MERGE.is_none() {
                    return Some(<$type>::PARAMS.first().map_or("", |param| param.name));
                })+
                None
            }

            /// Adds what was seen in another part of the network.
            pub fn merge(&mut self, other: &Watch) {
                $(if let (Some(merge), Some(one), Some(other)) = (
                    <$type>::MERGE,
                    crate::registry::registry!(@mut $how self.$field),
                    crate::registry::registry!(@some $how other.$field),
                ) {
                    merge(one, other);
                })+
            }

            /// Forgets what was measured, for a window that has not begun; `new` has seen nothing.
            pub fn measure_anew(&mut self, new: Watch) {
                $(if let (Some(one), Some(new)) = (
                    crate::registry::registry!(@mut $how self.$field),
                    crate::registry::registry!(@own $how new.$field),
                ) {
                    Listed::measure_anew(one, new);
                })+
            }

            /// Ends the measured window before `cycle`, which is sooner than was expected.
            pub fn close(&mut self, cycle: u64) {
                $(if let Some(probe) = crate::registry::registry!(@mut $how self.$field) {
                    Listed::close(probe, cycle);
                })+
            }

            /// Whether all have seen the cycles before `cycle`, and no other.
            pub fn is_of(&self, cycle: u64) -> bool {
                true $(&& crate::registry::registry!(@some $how self.$field).is_none_or(|probe| Listed::is_of(probe, cycle)))+
            }

            /// Whether one of them looks at cycles in which nothing happens.
            pub fn minds_idle(&self) -> bool {
                self.beside.is_some() $(|| <$type>::MINDS_IDLE && crate::registry::registry!(@some $how self.$field).is_some())+
            }

            /// The network was empty and at rest, and the cycles before `until` were not simulated.
            pub fn idle(&mut self, until: u64) {
                $(if let Some(probe) = crate::registry::registry!(@mut $how self.$field) {
                    Listed::idle(probe, until);
                })+
            }

            /// Fills the columns that probes know.
            pub fn columns(&self, end: &End<'_>, record: &mut Record) {
                $(if let Some(probe) = crate::registry::registry!(@some $how self.$field) {
                    probe.columns(end, record);
                })+
            }

            /// Numbers beside the columns.
            pub fn findings(&self, end: &End<'_>) -> Vec<Finding> {
                let mut all = Vec::new();
                $(all.extend(crate::registry::registry!(@some $how self.$field).into_iter().flat_map(|probe| probe.findings(end)));)+
                all
            }

            /// All tables, those without rows among them.
            pub fn tables(&self, end: &End<'_>) -> Vec<Series> {
                let mut all = Vec::new();
                $(all.extend(crate::registry::registry!(@some $how self.$field).into_iter().flat_map(|probe| probe.tables(end)));)+
                all
            }
        }

        // A probe without a use for a hook has an empty one, which leaves nothing behind in a release build.
        impl Probe for Watch {
            fn needs_occupancy(&self) -> bool {
                self.beside.needs_occupancy() $(|| self.$field.needs_occupancy())+
            }

            #[inline]
            fn reads_levels(&self, cycle: u64) -> bool {
                self.beside.reads_levels(cycle) $(|| self.$field.reads_levels(cycle))+
            }

            #[inline]
            fn watches_flits(&self) -> bool {
                false $(|| <$type>::WATCHES_FLITS && crate::registry::registry!(@some $how self.$field).is_some())+
            }

            #[inline]
            fn times_flits(&self) -> bool {
                self.beside.times_flits() $(|| self.$field.times_flits())+
            }

            tailback_engine::probe_hooks! { crate::registry::registry { @hooks [$($field)+ beside] } }
        }

        static PARAMS: LazyLock<Vec<Param>> = LazyLock::new(|| [$(<$type>::PARAMS),+].concat());

        /// The `probes` section.
        pub fn section() -> Section {
            Section {
                path: "probes",
                doc: "What to record in addition to the core columns.",
                params: &PARAMS,
                entries: Vec::new(),
                default_entry: None,
                idle: [$(<$type>::IDLE),+].into_iter().flatten().collect(),
            }
        }

        /// What a spec can turn on.
        pub fn switches() -> Vec<Switch> {
            [$(Switch::of::<$type>()),+].into_iter().flatten().collect()
        }

        /// All pictures.
        pub fn pictures() -> impl Iterator<Item = &'static Picture> {
            [$(<$type>::PICTURES),+].into_iter().flatten()
        }

        /// Whether the section `probes` of a spec asks for what reads the levels of buffers.
        pub fn reads_levels(probes: View<'_>) -> bool {
            false $(|| <$type>::READS_LEVELS && is_asked(&<$type>::PARAMS[0], probes))+
        }

        /// How the time series grow that the section `probes` of a spec asks for, each with the probe's first parameter.
        pub fn grows(probes: View<'_>, size: Size) -> Vec<(&'static str, Grows)> {
            let mut all = Vec::new();
            $(if let Some(param) = <$type>::PARAMS.first().filter(|param| !is_switch(param) || is_asked(param, probes)) {
                all.push((param.name, <$type>::grows(size)));
            })+
            all
        }
    };

    (@type always $type:ty) => { $type };
    (@type asked $type:ty) => { Option<$type> };
    (@new always $type:ty, $site:ident) => { <$type as Listed>::new($site) };
    (@new asked $type:ty, $site:ident) => { <$type>::is_on($site).then(|| <$type as Listed>::new($site)) };
    (@least always $type:ty, $site:ident) => { <$type as Listed>::new($site) };
    (@least asked $type:ty, $site:ident) => { None };
    (@some always $probe:expr) => { Some(&$probe) };
    (@some asked $probe:expr) => { $probe.as_ref() };
    (@mut always $probe:expr) => { Some(&mut $probe) };
    (@mut asked $probe:expr) => { $probe.as_mut() };
    (@own always $probe:expr) => { Some($probe) };
    (@own asked $probe:expr) => { $probe };

    (@hooks $fields:tt $($hook:ident($($arg:ident: $type:ty),+);)+) => {
        $(crate::registry::registry! { @hook $fields $hook ($($arg: $type),+) ($($arg),+) })+
    };
    (@hook [$($field:ident)+] $hook:ident ($($arg:ident: $type:ty),+) $call:tt) => {
        #[inline]
        fn $hook(&mut self, $($arg: $type),+) {
            $(self.$field.$hook $call;)+
        }
    };
}
pub(crate) use registry;

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The names of the functions in a text.
    fn functions(text: &str) -> Vec<&str> {
        text.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next()).collect()
    }

    #[test]
    fn every_hook_of_the_contract_goes_to_the_probes() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let read = |path: &str| std::fs::read_to_string(crates.join(path)).expect("a source file");
        let (contract, registry) = (read("engine/src/contract/probe.rs"), read("probes/src/registry.rs"));
        let (_, contract) = contract.split_once("pub trait Probe").expect("the contract");
        let (_, listed) = contract.split_once("macro_rules! probe_hooks").expect("the list");
        let listed = &listed[..listed.find("\n}\n").expect("its end")];
        let hooks = functions(&contract[..contract.find("\n}\n").expect("its end")]);
        assert!(hooks.len() > 10);
        for hook in hooks {
            let forwarded = registry.contains(&format!("fn {hook}(")) || listed.contains(&format!(" {hook}("));
            assert!(forwarded, "Probe::{hook} is called for no probe");
        }
    }
}
