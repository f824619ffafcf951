//! `tailback completions`: for shells.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::show;
use clap_complete::Shell;
use clap_complete::env::Shells;

const AFTER: &str = "\
Examples:
  tailback completions bash > ~/.local/share/bash-completion/completions/tailback
  tailback completions zsh > ~/.zfunc/_tailback

The script asks the program for the words, so `tailback run my.toml --set traffic.<TAB>` shows
parameters and `--set admission=<TAB>` shows kinds. `make install PREFIX=DIR` installs the scripts.";

/// Bash takes `admission=spth` apart at the equals sign, where the program wants it whole: put together, asked, and cut again.
const BASH_JOINS: &str = r#"
_tailback_joined() {
    local i index=0 words=()
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        if ((i > 0)) && [[ ${COMP_WORDS[i]} == "=" || ${COMP_WORDS[i - 1]} == "=" ]]; then
            words[${#words[@]} - 1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
        if ((i == COMP_CWORD)); then index=$((${#words[@]} - 1)); fi
    done
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$index
    _clap_complete_tailback "$1" "${words[index]}"
    if [[ $COMP_WORDBREAKS == *=* && ${words[index]} == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#*=}"); fi
}
complete -o nospace -o bashdefault -F _tailback_joined tailback
"#;

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the completions were not printed whole")?;
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let shell =
        shells.completer(&name).ok_or_else(|| Failure::usage(format!("the shell `{name}` is not supported")))?;
    let mut script = Vec::new();
    shell
        .write_registration("COMPLETE", "tailback", "tailback", "tailback", &mut script)
        .map_err(|error| Failure::Other(format!("no completions for {name}: {error}")))?;
    if args.shell == Shell::Bash {
        script.extend_from_slice(BASH_JOINS.as_bytes());
    }
    show::print(&String::from_utf8_lossy(&script))?;
    Ok(SUCCESS)
}
