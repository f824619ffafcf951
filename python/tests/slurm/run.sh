#!/bin/bash
# A Slurm of one node, made for this test and gone with it: `make slurm-test`. It needs root and Debian's packages
# slurm-wlm and munge, which it installs where they are missing. Every file and port is its own.
#
# Usage: run.sh VENV    an environment with the package `tailback[cluster]`
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)
venv=$(realpath "$1")
[ "$(id -u)" = 0 ] || { echo "slurm-test must be root, to install and start Slurm" >&2; exit 2; }
for tool in munged slurmctld slurmd sbatch; do
    command -v "$tool" > /dev/null && continue
    apt-get update -qq
    # Services of the packages stay off: the daemons are started below.
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends slurm-wlm munge > /dev/null
    rm -f /usr/sbin/policy-rc.d
    break
done

work=$(mktemp -d /tmp/tailback-slurm.XXXXXX)
chmod 755 "$work"
started=()
finish() {
    scancel --user=root 2> /dev/null || true
    for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2> /dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

start() { "$@" > "$work/$(basename "$1").log" 2>&1 & started+=($!); }

# Munge, with a key and a socket of its own.
mkdir -m 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
chmod 400 "$work/munge/key"
chmod 755 "$work/munge"
start munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed"

host=$(hostname -s)
cpus=$(nproc)
mkdir "$work/state" "$work/spool"
cat > "$work/slurm.conf" <<CONF
ClusterName=tailback
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldParameters=enable_configless
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$(awk '/MemTotal/ { print int($2 / 2048) }' /proc/meminfo) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE OverSubscribe=FORCE:4 State=UP
CONF
export SLURM_CONF="$work/slurm.conf"
start slurmctld -D -f "$SLURM_CONF"
start slurmd -D -f "$SLURM_CONF"
for _ in $(seq 60); do
    sinfo --noheader --format=%T 2> /dev/null | grep -q idle && break
    sleep 1
done
sinfo --noheader --format=%T | grep -q idle || { tail -n 20 "$work"/*.log >&2; exit 1; }

cd "$work"
cp "$root/examples/first.toml" .
"$venv/bin/python" - <<'PYTHON'
import tailback
tailback.sweep("first.toml", store="here")
PYTHON
digests() {
    "$venv/bin/python" - "$1" <<'PYTHON'
import sys, tailback
records = tailback.load(sys.argv[1]).records
print(*sorted(zip(records["point_id"].tolist(), records["digest"].tolist())), sep="\n")
PYTHON
}
digests here > here.txt

echo "--on sbatch"
"$venv/bin/tailback" sweep first.toml --out array --on sbatch --tasks 3 > /dev/null
sbatch --wait --quiet array/sweep.sbatch || { cat array/shares/*.log >&2; exit 1; }
"$venv/bin/tailback" sweep first.toml --out array --collect > /dev/null
digests array | diff - here.txt

echo "--on slurm"
# Workers talk over this machine alone; the scheduler need not wait long for the only node there is.
export DASK_JOBQUEUE__SLURM__INTERFACE=lo DASK_JOBQUEUE__SLURM__LOG_DIRECTORY="$work/dask"
export DASK_JOBQUEUE__SLURM__LOCAL_DIRECTORY="$work" DASK_JOBQUEUE__SLURM__MEMORY=400MB DASK_JOBQUEUE__SLURM__CORES=1
timeout 300 "$venv/bin/tailback" sweep first.toml --out dask --on slurm --tasks 2 --no-progress > /dev/null \
    || { tail -n 40 "$work"/dask/* >&2; squeue >&2; exit 1; }
digests dask | diff - here.txt
echo "slurm-test: the same bits from Slurm as from here"
