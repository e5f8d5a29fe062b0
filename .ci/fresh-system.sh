#!/usr/bin/env bash
# Does on a bare Debian what a new user does: ./demo.sh, the command line, then the first test of one's own, as the README has it. Not part of the
# tests: needs root, debootstrap and the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly PASSED='Tests run: 1, Failures: 0, Errors: 0, Skipped: 0'

usage() {
    cat <<TEXT
Usage: .ci/fresh-system.sh [RELEASE [--user | --sudo] [--umask MASK] [--repository FOLDER]]

Installs Debian RELEASE, for example bookworm or trixie, in a folder, and runs there ./demo.sh and the README's first test.
Without arguments: bookworm and trixie, each as root, and as an ordinary user with the umask 0002.

  --user               as an ordinary user, for whom root has installed the tools
  --sudo               as an ordinary user with password-less sudo, so that ./demo.sh installs them
  --umask MASK         with this umask; without it, with 0022
  --repository FOLDER  start with a copy of this Maven repository, without what it has of RankUnit. It saves downloads, and is
                       not what a new user has
TEXT
}

# Runs a command in the system as the user who tries it.
as_user() {
    chroot "$system" setpriv --reuid="$user" --regid="$user" --init-groups \
        env -i HOME="$home" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
        bash -c "umask $mask && cd && $1"
}

as_root() {
    chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

add_user() {
    user=ada home=/home/ada
    as_root useradd --create-home --shell /bin/bash "$user"
}

install_tools() {
    copy_tree "$system/opt/rankunit"
    as_root bash -c 'source /opt/rankunit/.ci/setup.sh && set_up'
    rm -rf "$system/opt/rankunit"
}

allow_sudo() {
    as_root apt-get update -qq
    as_root apt-get install -y -qq --no-install-recommends sudo
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$system/etc/sudoers.d/$user"
}

# The authorities that this machine trusts besides those of Debian, as behind a proxy. They count once a package brings them to use.
copy_authorities() {
    if [[ -d /usr/local/share/ca-certificates ]]; then
        cp -r /usr/local/share/ca-certificates "$system/usr/local/share"
    fi
}

# The project that the README describes, each file as it is printed there.
write_first_project() {
    mkdir -p "$1/src/test/java/org/example"
    awk -v folder="$1" '
        /^```$/ { file = "" }
        file != "" && copying { print > (folder "/" file) }
        /`[^`]+\.(xml|java)`:$/ { file = substr($0, match($0, /`[^`]+`:$/) + 1, RLENGTH - 3); copying = 0 }
        /^```(xml|java)$/ { copying = 1 }
    ' README.md
}

# What the user has before the first step. Modes are those that the umask gives, as to a clone.
copy_for_user() {
    copy_tree "$system$home/rankunit"
    write_first_project "$system$home/first-test"
    if [[ -n "$repository" ]]; then
        mkdir -p "$system$home/.m2"
        cp -a "$repository" "$system$home/.m2/repository"
        rm -rf "$system$home/.m2/repository/org/rankunit"
    fi
    as_root chown -R "$user:" "$home"
    as_user 'chmod -R =rwX rankunit first-test'
}

# Runs a step as the user, and says how long it took.
step() {
    local start="$SECONDS" status=0
    as_user "$2" || status=$?
    echo "--- $1: $((SECONDS - start)) s, exit status $status"
    return "$status"
}

# In a subshell of its own, so that everything is removed at its end.
try_system() (
    release="$1" kind="$2" mask="$3" repository="$4" user=root home=/root
    system="$(mktemp -d)"
    # shellcheck disable=SC2317 # called at the end
    leave() {
        umount "$system/proc" 2>/dev/null || true
        # Never through a mount.
        rm -rf --one-file-system "$system"
    }
    trap leave EXIT
    echo "=== Debian $release, $kind, umask $mask${repository:+, with the Maven repository $repository}"
    chmod 755 "$system"
    debootstrap --variant=minbase "$release" "$system" >&2
    mount -t proc proc "$system/proc"
    copy_authorities
    case "$kind" in
        user)
            add_user
            install_tools
            ;;
        sudo)
            add_user
            allow_sudo
            ;;
    esac
    copy_for_user
    step ./demo.sh 'cd rankunit && ./demo.sh'
    step 'the command line' 'java -jar .m2/repository/org/rankunit/rankunit-cli/*/rankunit-cli-*.jar --version'
    step 'the first test' "cd first-test && mvn -B -ntp test 2>&1 | tee build.log | tail -n 12 && grep -q -F '$PASSED' build.log"
)

if (($# == 0)); then
    status=0
    for release in bookworm trixie; do
        "$0" "$release" || status=1
    done
    "$0" bookworm --user --umask 0002 || status=1
    "$0" trixie --sudo --umask 0002 || status=1
    exit "$status"
fi

release='' kind=root mask=0022 repository=''
while (($# > 0)); do
    case "$1" in
        --user | --sudo) kind="${1#--}" ;;
        --umask) mask="${2:?}" && shift ;;
        --repository) repository="${2:?}" && shift ;;
        -h | --help)
            usage
            exit
            ;;
        -*)
            usage >&2
            exit 2
            ;;
        *) release="$1" ;;
    esac
    shift
done
[[ -n "$release" ]] || { usage >&2; exit 2; }
try_system "$release" "$kind" "$mask" "$repository"
