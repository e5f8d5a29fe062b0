#!/usr/bin/env bash
# Asks Spin every question of docs/models/runs.txt, one after the other. The result alone goes to standard output; the
# table of what was asked goes to standard error. A model given as an argument is asked alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/setup.sh

readonly MODELS=docs/models RUNS=docs/models/runs.txt
# Far above what each run needs, also on a busy machine; a search that is cut off has shown nothing.
readonly MEGABYTES=1500 SECONDS_AT_MOST=600 DEPTH=100000

set_up_optional spin "no model is searched" >&2
if ! has spin; then
    echo "not checked: there is no spin"
    exit
fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# Builds the checker of one model: safety, or -DNP for a search for runs without end.
build() {
    local model="$1" kind="$2" level=-O1
    shift 2
    # A mistake that was made on purpose is found in less time than the compiler needs to optimize.
    if [[ "$*" == *BUG_* ]]; then
        level=-O0
    fi
    (
        cd "$folder"
        rm -f -- *.trail
        spin -a "${@/#/-D}" "$OLDPWD/$MODELS/$model.pml" && cc "$level" -w "$kind" -DCOLLAPSE "-DMEMLIM=$MEGABYTES" -o pan pan.c
    ) >"$folder/log" 2>&1
}

# Searches, and says "sound", "error" or why neither is known.
search() {
    local status=0
    (cd "$folder" && timeout "$SECONDS_AT_MOST" ./pan -n "-m$DEPTH" "$@") >>"$folder/log" 2>&1 || status=$?
    if grep -q '^pan:[0-9]*: \(assertion violated\|invalid end state\|non-progress cycle\)' "$folder/log"; then
        echo error
    elif ((status != 0)) || grep -q 'max search depth too small\|memory bound\|MEMLIM\|hash-compact' "$folder/log" ||
        ! grep -q 'errors: 0' "$folder/log"; then
        echo "not searched to the end"
    else
        echo sound
    fi
}

states() {
    sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$folder/log" | tail -n 1
}

row() {
    printf '%-10s %5s  %-72s %10s %6s  %s\n' "$@" >&2
}

row model ranks question states s verdict
questions=0
wrong=0
while read -r kind model numbers; do
    if [[ -z "$kind" || "$kind" == \#* || "$model" != "${1:-$model}" ]]; then
        continue
    fi
    read -r -a defined <<<"$numbers"
    ranks="$(sed -n 's/.*\bN=\([0-9]*\).*/\1/p' <<<"$numbers")"
    start="${EPOCHREALTIME/./}"
    answer="does not compile"
    if build "$model" -DSAFETY "${defined[@]}"; then
        answer="$(search)"
        found="$(states)"
        if [[ "$kind" == ends && "$answer" == sound ]] && build "$model" -DNP "${defined[@]}"; then
            answer="$(search -l)"
        fi
    fi
    took=$(((${EPOCHREALTIME/./} - start) / 100000))
    case "$kind $answer" in
        "holds sound") verdict="holds" ;;
        "ends sound") verdict="holds, and every run ends" ;;
        "finds error") verdict="found" ;;
        *)
            verdict="WRONG: $answer"
            wrong=$((wrong + 1))
            ;;
    esac
    questions=$((questions + 1))
    row "$model" "$ranks" "$(sed "s/\bN=[0-9]* *//" <<<"$numbers")" "${found:-}" "$((took / 10)).$((took % 10))" "$verdict"
    if [[ "$verdict" == WRONG* ]]; then
        tail -n 30 "$folder/log" >&2
    fi
done <"$RUNS"

if ((wrong > 0)); then
    echo "$wrong of $questions answers are wrong"
    exit 1
fi
echo "$questions answers as expected"
