#!/usr/bin/env bash
# The cluster of mini-slurm.sh with a network namespace and an address for each node, so that a node can be cut off. Needs
# root. Nodes have the addresses 10.213.0.1, 10.213.0.2 and so on, the controller has 10.213.0.254. Nothing outside of the
# namespaces can be reached from inside, or reaches what is inside.
set -euo pipefail

usage() {
    cat <<TEXT
Usage: netns-slurm.sh start DIR [NODES=4] [DEVICES=8]   as mini-slurm.sh does, with the same variables
       netns-slurm.sh stop DIR                          end everything that runs of it, and remove the namespaces
       netns-slurm.sh exec DIR COMMAND...               run a command where the controller is
       netns-slurm.sh cut DIR NODE                      take the network from a node
       netns-slurm.sh heal DIR NODE                     give it back
       netns-slurm.sh why-not                           print why no such cluster can be started here, or nothing

mini-slurm.sh has further commands, which work on these clusters too.
TEXT
}

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly HERE
export PATH="$PATH:/usr/sbin"

# The part that the names of all namespaces of a cluster begin with.
namespaces() {
    cat "$1/run/namespaces"
}

# Tries what is needed in a namespace that ends with the command.
why_not() {
    local reason program
    reason="$("$HERE/mini-slurm.sh" why-not)"
    if [[ "$reason" == Slurm* ]]; then
        echo "$reason"
        return
    fi
    for program in ip nsenter unshare; do
        if ! command -v "$program" >/dev/null; then
            echo "there is no $program, which makes network namespaces"
            return
        fi
    done
    if ((EUID != 0)); then
        echo "only root makes network namespaces"
    elif ! unshare --net sh -c 'ip link add type bridge && ip link add one type veth peer name two' >/dev/null 2>&1; then
        echo "network namespaces, bridges or pairs of network devices cannot be made here"
    elif ! unshare --fork --time --monotonic 1 --boottime 1 unshare --mount true >/dev/null 2>&1; then
        echo "namespaces for clocks and for what is mounted cannot be made here"
    fi
}

add_network() {
    local prefix="$1" nodes="$2" node
    ip netns add "$prefix-switch"
    ip -n "$prefix-switch" link add bridge type bridge
    ip -n "$prefix-switch" link set bridge up
    add_host "$prefix" ctl 254
    for ((node = 1; node <= nodes; node++)); do
        add_host "$prefix" "node$node" "$node"
    done
}

add_host() {
    local prefix="$1" name="$2" number="$3"
    ip netns add "$prefix-$name"
    ip link add "port$number" netns "$prefix-switch" type veth peer name eth0 netns "$prefix-$name"
    ip -n "$prefix-switch" link set "port$number" master bridge up
    ip -n "$prefix-$name" link set lo up
    ip -n "$prefix-$name" addr add "10.213.0.$number/24" dev eth0
    ip -n "$prefix-$name" link set eth0 up
}

remove_network() {
    local name
    for name in $(ip netns list | awk -v prefix="$1-" 'index($1, prefix) == 1 { print $1 }'); do
        ip netns del "$name"
    done
}

start() {
    local reason prefix="rankunit-$$"
    reason="$(why_not)"
    if [[ -n "$reason" ]]; then
        echo "netns-slurm.sh: $reason" >&2
        exit 1
    fi
    # shellcheck disable=SC2064 # the prefix of now
    trap "remove_network $prefix" EXIT
    add_network "$prefix" "${2:-4}"
    NAMESPACES="$prefix" "$HERE/mini-slurm.sh" start "$@"
    trap - EXIT
}

stop() {
    local status=0
    "$HERE/mini-slurm.sh" stop "$1" || status=$?
    if [[ -s "$1/run/namespaces" ]]; then
        remove_network "$(namespaces "$1")"
    fi
    return "$status"
}

case "${1:-},$#" in
    start,[234]) start "${@:2}" ;;
    stop,2) stop "$2" ;;
    exec,?*)
        exec nsenter --net="/run/netns/$(namespaces "$2")-ctl" "${@:3}"
        ;;
    cut,3) ip -n "$(namespaces "$2")-$3" link set eth0 down ;;
    heal,3) ip -n "$(namespaces "$2")-$3" link set eth0 up ;;
    why-not,1) why_not ;;
    *)
        usage >&2
        exit 2
        ;;
esac
