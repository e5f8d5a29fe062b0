#!/usr/bin/env bash
# A Slurm cluster in one folder on this machine, for tests. Needs neither root nor systemd nor cgroups, only Debian's packages
# slurmctld, slurmd, slurm-client and munge. The daemons listen on the loopback interface only. Clusters can run side by side.
set -euo pipefail

usage() {
    cat <<TEXT
Usage: mini-slurm.sh start DIR [NODES=4] [DEVICES=8]   start nodes node1 to nodeNODES, each with DEVICES devices
       mini-slurm.sh stop DIR                          end everything that runs of it
       mini-slurm.sh env DIR                           print what a client needs in its environment
       mini-slurm.sh processes DIR                     print the ids of all processes of the cluster and of its jobs
       mini-slurm.sh kill-node DIR NODE                kill the slurmd of a node; its steps go on
       mini-slurm.sh start-node DIR NODE               start it again
       mini-slurm.sh stop-controller DIR               end slurmctld, which saves its state
       mini-slurm.sh start-controller DIR              start it again with that state
       mini-slurm.sh restart-controller DIR            both
       mini-slurm.sh why-not                           print why no cluster can be started here, or nothing

DIR is an absolute path of at most 60 bytes, since sockets are made below it. Variables that start reads:

  GRES         the resources of a node, separated by commas: npu (default), gpu:ascend910b, or both. Slurm tells each task
               which devices of a gpu are its own, and nothing of an npu
  CPUS         CPUs of each node (default: 16)
  PREEMPT      CANCEL or REQUEUE: what becomes of jobs in the partition npu when a job in the partition urgent needs their
               nodes. Without it, there is no partition urgent
  HIDE         folders, separated by colons, that are empty on each node and have there what the node itself puts in. Needs
               root
  SKEW         seconds by which the clocks of a node that count from its start are ahead of those of the node before it.
               Needs root
  EXTRA_CONF   lines for slurm.conf; a line replaces the one with the same key, such as SlurmdTimeout=5
TEXT
}

die() {
    echo "mini-slurm.sh: $*" >&2
    exit 1
}

readonly COMMAND="${1:-}"
readonly DIR="${2:-}"
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly HERE
# Debian has the daemons where only root looks.
export PATH="$PATH:/usr/sbin"
export SLURM_CONF="$DIR/etc/slurm.conf"

# Runs a command on a node, or on ctl, where the controller is: in its network namespace, if it has one.
on() {
    local node="$1"
    shift
    if [[ -s "$DIR/run/namespaces" ]]; then
        nsenter --net="/run/netns/$(<"$DIR/run/namespaces")-$node" "$@"
    else
        "$@"
    fi
}

# A process that has ended and that nobody has waited for has no command line any more.
alive() {
    [[ -n "$({ tr -d '\0' <"/proc/$1/cmdline"; } 2>/dev/null)" ]]
}

# Waits until a command succeeds.
within() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

all_ended() {
    local pid
    for pid in "$@"; do
        ! alive "$pid" || return 1
    done
}

end() {
    (($# > 0)) || return 0
    kill "$@" 2>/dev/null || true
    within 5 all_ended "$@" || kill -KILL "$@" 2>/dev/null || true
    within 5 all_ended "$@" || die "processes do not end: $*"
}

# The id that a daemon wrote to a file, if it is still that of a daemon of this cluster.
daemon_of() {
    local pid
    [[ -s "$1" ]] || return 0
    pid="$(<"$1")"
    if { tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null | grep -q -F -- "$DIR/"; then
        echo "$pid"
    fi
}

end_daemons() {
    local file
    local -a pids=()
    for file in "$@"; do
        mapfile -t -O "${#pids[@]}" pids < <(daemon_of "$file")
        rm -f "$file"
    done
    end "${pids[@]}"
}

kill_node() {
    local file="$DIR/run/slurmd.$1.pid" pid
    pid="$(daemon_of "$file")"
    [[ -n "$pid" ]] || die "$1 does not run"
    kill -KILL "$pid"
    rm -f "$file"
}

# Daemons have the folder in their command lines, tasks in their environment. slurmstepd overwrites both, and works in log.
processes() {
    local found pid ancestor="$BASHPID" ancestors=" "
    while ((ancestor > 1)); do
        ancestors+="$ancestor "
        ancestor="$(awk '$1 == "PPid:" { print $2 }' "/proc/$ancestor/status")"
    done
    found="$({
        find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$DIR" -o -lname "$DIR/*" \) || true
        grep -l -s -a -F -- "$DIR/" /proc/[0-9]*/{cmdline,environ} || true
    } 2>/dev/null | cut -d / -f 3 | sort -u -n)"
    for pid in $found; do
        if [[ "$ancestors" != *" $pid "* ]] && alive "$pid"; then
            echo "$pid"
        fi
    done
}

nothing_runs() {
    [[ -z "$(processes)" ]]
}

# What can be asked without starting anything. The daemons bind the address of the machine's name, whatever slurm.conf says.
why_not() {
    local program address
    local -a missing=()
    for program in slurmctld slurmd srun munged; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    if ((${#missing[@]} > 0)); then
        local list
        list="$(printf ', %s' "${missing[@]}")"
        echo "Slurm is not installed (${list:2} not found): ./test.sh --slurm installs it"
        return
    fi
    if ! id -un >/dev/null 2>&1; then
        echo "Slurm needs users with names, and the one with the id $(id -u) has none"
        return
    fi
    address="$(own_address)"
    if [[ "$address" != 127.* ]]; then
        echo "the name of this machine, $(hostname -s), stands for ${address:-no address}, and Slurm would listen there:" \
            "give it 127.0.1.1 in /etc/hosts"
    fi
}

own_address() {
    getent ahostsv4 "$(hostname -s)" | awk '{ print $1; exit }'
}

port_is_free() {
    ! (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null
}

# Below the range from which the kernel takes ports for connections.
choose_port() {
    local address="$1" count="$2" port tries offset
    for ((tries = 0; tries < 100; tries++)); do
        port=$((10000 + RANDOM % 20000))
        for ((offset = 0; offset < count; offset++)); do
            port_is_free "$address" $((port + offset)) || continue 2
        done
        echo "$port"
        return
    done
    die "found no $count free ports in a row"
}

write_gres() {
    local gres name type options node
    : >"$DIR/etc/gres.conf"
    ((DEVICES > 0)) || return 0
    for gres in ${GRES//,/ }; do
        name="${gres%%:*}"
        type="${gres#"$name"}"
        options="Name=$name${type:+ Type=${type#:}}"
        if [[ "$name" == gpu ]]; then
            options+=" Flags=no_gpu_env"
        fi
        for ((node = 1; node <= NODES; node++)); do
            echo "NodeName=node$node $options File=$DIR/dev/node$node/davinci[0-$((DEVICES - 1))]"
        done
    done >>"$DIR/etc/gres.conf"
}

write_nodes() {
    local port="$1" address="$2" gres list names
    list="$(for gres in ${GRES//,/ }; do printf ',%s:%s' "$gres" "$DEVICES"; done)"
    names="$(for gres in ${GRES//,/ }; do printf ',%s' "${gres%%:*}"; done)"
    local where="NodeAddr=$address Port=[$((port + 1))-$((port + NODES))]"
    if [[ -n "${NAMESPACES:-}" ]]; then
        where="NodeAddr=10.213.0.[1-$NODES] Port=$((port + 1))"
    fi
    echo "GresTypes=${names:1}"
    echo "NodeName=node[1-$NODES] NodeHostname=$(hostname -s) $where CPUs=${CPUS:-16} RealMemory=4096" \
        "$( ((DEVICES == 0)) || echo "Gres=${list:1}") State=UNKNOWN"
    if [[ -z "${PREEMPT:-}" ]]; then
        echo "PartitionName=npu Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
    else
        echo "PreemptType=preempt/partition_prio"
        echo "PreemptMode=$PREEMPT"
        echo "PartitionName=npu Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1"
        echo "PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF"
    fi
}

# Slurm warns of a key that is there twice, in the output of every client. So the first of the two is left out.
write_conf() {
    local port="$1" address="$2" controller="$2" user
    user="$(id -un)"
    if [[ -n "${NAMESPACES:-}" ]]; then
        controller=10.213.0.254
    fi
    {
        sed -e "s|@DIR@|$DIR|g; s|@PORT@|$port|g; s|@USER@|$user|g; s|@HOST@|$(hostname -s)|g; s|@CONTROLLER@|$controller|g" \
            "$HERE/slurm.conf.in" |
            if [[ -n "${NAMESPACES:-}" ]]; then grep -v '^CommunicationParameters='; else cat; fi
        write_nodes "$port" "$address"
    } | awk -v extra="${EXTRA_CONF:-}" '
        function key(line) { sub(/=.*/, "", line); return tolower(line) }
        BEGIN {
            count = split(extra, lines, "\n")
            for (i = 1; i <= count; i++) if (key(lines[i]) !~ /^(nodename|partitionname)$/) replaced[key(lines[i])] = 1
        }
        /^#/ || !(key($0) in replaced)
        END { print extra }
    ' >"$SLURM_CONF"
}

start_munge() {
    (umask 077 && head -c 128 /dev/urandom >"$DIR/etc/munge.key")
    # --force, since a cluster of root lies in a folder that others may write to.
    munged --force --key-file="$DIR/etc/munge.key" --socket="$DIR/run/munge.sock" --pid-file="$DIR/run/munged.pid" \
        --seed-file="$DIR/run/munged.seed" --log-file="$DIR/log/munged.log" --num-threads=2 2>>"$DIR/log/munged.log"
}

# With -c it forgets the jobs that it has saved.
start_controller() {
    on ctl slurmctld "$@" -f "$SLURM_CONF" 2>>"$DIR/log/slurmctld.log"
}

start_node() {
    local skew=0
    local -a own=()
    if [[ -s "$DIR/run/skew" ]]; then
        skew=$((${1#node} * $(<"$DIR/run/skew")))
        own=(unshare --fork --time --monotonic "$skew" --boottime "$skew")
    fi
    if [[ -s "$DIR/run/hidden" ]]; then
        # shellcheck disable=SC2016 # for the other shell
        own+=(unshare --mount bash -c
            'while read -r -d : folder; do mount -t tmpfs none "$folder" || exit; done <"$0"; exec "$@"' "$DIR/run/hidden")
    fi
    on "$1" "${own[@]}" slurmd -f "$SLURM_CONF" -N "$1" 2>>"$DIR/log/$1.log"
}

# Daemons write their files, and can be asked, only some time after they have been started.
controller_answers() {
    [[ -s "$DIR/run/slurmctld.pid" ]] && on ctl timeout 5 scontrol ping 2>/dev/null | grep -q UP
}

nodes_idle() {
    [[ "$(on ctl timeout 5 sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" == "$NODES" ]]
}

start_all() {
    local address port node device
    address="$(own_address)"
    mkdir -p "$DIR"/{etc,run,log,spool,state,dev}
    chmod 700 "$DIR/run" "$DIR/state"
    if [[ -n "${NAMESPACES:-}" ]]; then
        echo "$NAMESPACES" >"$DIR/run/namespaces"
    fi
    if [[ -n "${HIDE:-}" ]]; then
        echo "$HIDE:" >"$DIR/run/hidden"
    fi
    if [[ -n "${SKEW:-}" ]]; then
        echo "$SKEW" >"$DIR/run/skew"
    fi
    for ((node = 1; node <= NODES; node++)); do
        mkdir -p "$DIR/dev/node$node" "$DIR/spool/node$node"
        for ((device = 0; device < DEVICES; device++)); do
            # The plugin for gpu wants a character device, and follows links.
            ln -sfn /dev/null "$DIR/dev/node$node/davinci$device"
        done
    done
    # slurmd initializes some cgroup plugin even if nothing uses cgroups, and fails to choose one by itself in containers.
    # This one touches nothing.
    echo "CgroupPlugin=cgroup/v1" >"$DIR/etc/cgroup.conf"
    install -m 755 "$HERE/task-prolog.sh" "$DIR/etc/task-prolog.sh"
    write_gres
    port="$(choose_port "$address" $((NODES + 1)))" || return
    write_conf "$port" "$address" || return
    start_munge || return
    start_controller -c || return
    for ((node = 1; node <= NODES; node++)); do
        start_node "node$node" || return
    done
    within 30 nodes_idle
}

start() {
    NODES="$1" DEVICES="$2" GRES="${GRES:-npu}"
    [[ "$NODES" =~ ^[1-9][0-9]*$ && "$NODES" -le 200 && "$DEVICES" =~ ^[0-9]+$ ]] ||
        die "start DIR NODES DEVICES: NODES is in [1, 200], and DEVICES is a number"
    [[ "$GRES" =~ ^[a-z]+(:[a-z0-9]+)?(,[a-z]+(:[a-z0-9]+)?)*$ ]] || die "GRES=$GRES: it is npu, gpu:ascend910b, or both"
    [[ "${PREEMPT:-CANCEL}" =~ ^(CANCEL|REQUEUE)$ ]] || die "PREEMPT=$PREEMPT: it is CANCEL or REQUEUE"
    [[ "${SKEW:-0}" =~ ^[0-9]+$ ]] || die "SKEW=$SKEW: it is a number of seconds"
    [[ ! -e "$DIR/etc/slurm.conf" ]] || die "there is or was a cluster in $DIR: stop it, and remove the folder"
    local reason
    reason="$(why_not)"
    # The address of the machine's name does not matter in a namespace.
    if [[ -n "$reason" && ! ("${NAMESPACES:-}" && "$reason" != Slurm*) ]]; then
        die "$reason"
    fi
    umask 022
    mkdir -p "$DIR"
    local started="${EPOCHREALTIME/./}" file
    # Clusters that start at the same moment would choose the same ports. What is started does not keep the lock.
    exec 8<"${BASH_SOURCE[0]}"
    flock 8
    if ! start_all 8<&-; then
        for file in "$DIR"/log/*; do
            echo "$file:"
            tail -n 20 "$file"
        done >&2
        stop
        die "the cluster in $DIR does not start"
    fi
    exec 8<&-
    echo "$NODES nodes with $DEVICES x $GRES after $(((${EPOCHREALTIME/./} - started) / 1000)) ms"
}

queue_is_empty() {
    [[ -z "$(on ctl timeout 2 squeue -h 2>/dev/null)" ]]
}

stop() {
    if [[ -s "$DIR/run/slurmctld.pid" ]] && alive "$(<"$DIR/run/slurmctld.pid")"; then
        on ctl timeout 5 scancel -u "$(id -u)" 2>/dev/null || true
        within 3 queue_is_empty || true
    fi
    end_daemons "$DIR/run/slurmctld.pid" "$DIR"/run/slurmd.*.pid
    end_daemons "$DIR/run/munged.pid"
    # Steps of a node that was lost, and what left its session.
    local left
    if ! within 1 nothing_runs; then
        left="$(processes)"
        # shellcheck disable=SC2086 # ids
        kill -KILL $left 2>/dev/null || true
        within 5 nothing_runs || die "still running: $(processes | tr '\n' ' ')"
    fi
}

stop_controller() {
    end_daemons "$DIR/run/slurmctld.pid"
}

start_controller_again() {
    start_controller || die "slurmctld does not start: $DIR/log/slurmctld.log"
    within 30 controller_answers || die "slurmctld does not answer: $DIR/log/slurmctld.log"
}

if [[ "$COMMAND" == why-not ]]; then
    why_not
    exit
fi
if [[ "$DIR" != /* ]]; then
    usage >&2
    exit 2
fi
((${#DIR} <= 60)) || die "$DIR has more than 60 bytes"
case "$COMMAND,$#" in
    start,[234]) start "${3:-4}" "${4:-8}" ;;
    stop,2) stop ;;
    env,2) echo "export SLURM_CONF=$SLURM_CONF" ;;
    processes,2) processes ;;
    kill-node,3) kill_node "$3" ;;
    start-node,3) start_node "$3" ;;
    stop-controller,2) stop_controller ;;
    start-controller,2) start_controller_again ;;
    restart-controller,2)
        stop_controller
        start_controller_again
        ;;
    *)
        usage >&2
        exit 2
        ;;
esac
