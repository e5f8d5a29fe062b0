#!/usr/bin/env bash
# Runs ./demo.sh on a bare Debian, as a new user has it. Not part of the tests: needs root, debootstrap and the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

if (($# != 1)); then
    echo "Usage: .ci/fresh-system.sh RELEASE, for example bookworm or trixie" >&2
    exit 2
fi

folder="$(mktemp -d)"
leave() {
    umount "$folder/proc" 2>/dev/null || true
    # Never through a mount.
    rm -rf --one-file-system "$folder"
}
trap leave EXIT
debootstrap --variant=minbase "$1" "$folder" >&2
mount -t proc proc "$folder/proc"
copy_tree "$folder/root/rankunit"
chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin /root/rankunit/demo.sh
