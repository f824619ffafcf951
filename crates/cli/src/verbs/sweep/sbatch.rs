//! A sweep as an array of Slurm jobs: a script, each task of which runs its share into a folder of its own.

use super::{Args, SHARES};
use crate::exit::{Failure, Result, SUCCESS};
use crate::folder::Folder;
use crate::output::inputs;
use crate::points::{Points, Source};
use crate::show;
use std::path::Path;
use tailback_results::store::Existing;

const SCRIPT: &str = "sweep.sbatch";

/// Writes the script and the spec into the folder of the sweep, and says what to do with them.
pub fn write(args: &Args, points: &Points, program: &str) -> Result {
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| Failure::file("find", path, &error));
    let out = absolute(&args.out)?;
    // A name without a folder is found by the shell of the task as it was by this one.
    let program = match program.contains('/') {
        true => absolute(Path::new(program))?.display().to_string(),
        false => program.to_owned(),
    };
    let folder = Folder::open(&out, Existing::Keep, &inputs(&args.spec, points.files.clone()))?;
    folder.file("spec.toml", points.spec.as_bytes())?;
    let tasks = (args.tasks as usize).min(points.count());
    let script = folder.file(SCRIPT, script(&program, &out, tasks).as_bytes())?;
    let shares = out.join(SHARES);
    std::fs::create_dir_all(&shares).map_err(|error| Failure::file("create", &shares, &error))?;
    let script = show::path(&script);
    show::line(&format!("wrote {script}: add the options that your cluster needs, then run"))?;
    show::line(&format!("  sbatch {script}"))?;
    show::line("and, when its tasks have ended, run")?;
    show::line(&format!("  tailback sweep {0}/spec.toml --out {0}", out.display()))?;
    show::line("which collects the finished points and runs the others; with --collect it runs nothing.")?;
    Ok(SUCCESS)
}

/// The script. A task that is run again goes on where it was.
fn script(program: &str, out: &Path, tasks: usize) -> String {
    let (program, out) = (quoted(program), quoted(&out.display().to_string()));
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=tailback\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --requeue\n\
         #SBATCH --output=/dev/null\n\
         out={out}\n\
         share=\"$out/{SHARES}/$SLURM_ARRAY_TASK_ID\"\n\
         exec {program} sweep \"$out/spec.toml\" --out \"$share\" --share \"$SLURM_ARRAY_TASK_ID/{tasks}\" \\\n    \
         --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" --no-progress > \"$share.log\" 2>&1\n",
        last = tasks - 1
    )
}

/// A word as the shell takes it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_blanks_and_quotes_stay_words() {
        let text = script("/opt/my tools/tailback", Path::new("/home/o'brien/out"), 8);
        assert!(text.contains("#SBATCH --array=0-7\n"));
        assert!(text.contains("out='/home/o'\\''brien/out'\n"), "{text}");
        assert!(text.contains("exec '/opt/my tools/tailback' sweep \"$out/spec.toml\""), "{text}");
        assert!(text.contains("--share \"$SLURM_ARRAY_TASK_ID/8\""), "{text}");
    }
}
