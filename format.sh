#!/usr/bin/env bash
# Lays out the Java and C++ sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source .ci/setup.sh

readonly CLANG_FORMAT=target/clang-format/node_modules/@wasm-fmt/clang-format/clang-format-cli.cjs

usage() {
    cat <<TEXT
Usage: ./format.sh [--check | --staged | --install-hook]

Lays out the Java sources (palantir-java-format) and the C and C++ sources (clang-format); needs Maven, Node and npm.

  --check         change nothing; fail and name the files whose layout differs
  --staged        lay out what is staged, as the next commit would have it; what is not staged stays as it is
  --install-hook  from now on, do this before each commit in this clone
TEXT
}

# The files of C++ that git tracks or would track, below the current folder.
cpp_files() {
    git -C "$ROOT" ls-files -z --cached --others --exclude-standard -- '*.c' '*.cpp' '*.h' |
        while IFS= read -r -d '' file; do
            # Not the deleted ones.
            [[ ! -e "$file" ]] || printf '%s\0' "$file"
        done
}

# One version for all machines: distributions have different ones, which lay the same code out differently.
clang_format() {
    if [[ ! -e "$ROOT/$CLANG_FORMAT" || "$ROOT/.ci/clang-format/package-lock.json" -nt "$ROOT/$CLANG_FORMAT" ]]; then
        has npm || { echo "The C++ sources are laid out by a package of npm, and there is no npm. On Debian: apt-get install npm" >&2 && return 1; }
        local folder="$ROOT/target/clang-format"
        mkdir -p "$folder"
        cp "$ROOT"/.ci/clang-format/package*.json "$folder"
        npm --prefix "$folder" ci --ignore-scripts --no-audit --no-fund --silent
        touch "$ROOT/$CLANG_FORMAT"
    fi
    xargs -0 -r node "$ROOT/$CLANG_FORMAT" "$@"
}

# The bill of materials, which has no sources, is the parent of the pom that knows the plugin.
spotless() {
    MAVEN_OPTS="${MAVEN_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}" mvn -B -ntp -q -pl '!bom' "spotless:$1" "${@:2}"
}

format_all() {
    cpp_files | clang_format -i
    spotless apply
}

check_all() {
    local status=0
    cpp_files | clang_format --dry-run --Werror || status=1
    spotless check || status=1
    if ((status != 0)); then
        echo "The layout of some sources differs: ./format.sh mends it." >&2
    fi
    return "$status"
}

# Lays out the staged files in a copy of what is staged, and stages the result. A file in the working tree that differs from
# what is staged has further changes, and is left alone.
format_staged() {
    local tree="$ROOT/target/staged" file before after
    local -a java cpp
    mapfile -d '' java < <(git diff --cached --name-only -z --diff-filter=d -- '*.java')
    mapfile -d '' cpp < <(git diff --cached --name-only -z --diff-filter=d -- '*.c' '*.cpp' '*.h')
    ((${#java[@]} + ${#cpp[@]} > 0)) || return 0
    rm -rf "$tree"
    git checkout-index --all --prefix="$tree/"
    (
        cd "$tree"
        if ((${#cpp[@]} > 0)); then
            printf '%s\0' "${cpp[@]}" | clang_format -i
        fi
        if ((${#java[@]} > 0)); then
            spotless apply "-DspotlessFiles=$(java_patterns "${java[@]}")"
        fi
    )
    for file in "${java[@]}" "${cpp[@]}"; do
        before="$(git rev-parse ":$file")"
        after="$(git hash-object -w "$tree/$file")"
        if [[ "$before" != "$after" ]]; then
            if [[ "$(git hash-object "$file" 2>/dev/null)" == "$before" ]]; then
                cp "$tree/$file" "$file"
            fi
            git update-index --cacheinfo "$(git ls-files --stage -- "$file" | cut -d ' ' -f 1),$after,$file"
            echo "laid out: $file"
        fi
    done
    rm -rf "$tree"
}

# Spotless takes regular expressions of whole paths, separated by commas.
java_patterns() {
    local IFS=,
    local -a patterns=("${@//./\\.}")
    echo "${patterns[*]/#/.*/}"
}

install_hook() {
    local hook
    hook="$(git rev-parse --git-path hooks/pre-commit)"
    if [[ -e "$hook" ]] && ! grep -q -F './format.sh --staged' "$hook"; then
        echo "There is a hook already: $hook. Add to it: ./format.sh --staged" >&2
        return 1
    fi
    mkdir -p "$(dirname "$hook")"
    printf '%s\n' '#!/bin/sh' 'exec ./format.sh --staged' >"$hook"
    chmod +x "$hook"
    echo "Before each commit, ./format.sh --staged lays out what is staged: $hook"
}

case "$#,${1:-}" in
    0,) format_all ;;
    1,--check) check_all ;;
    1,--staged) format_staged ;;
    1,--install-hook) install_hook ;;
    1,-h | 1,--help) usage ;;
    *)
        echo "format.sh: there is no option $*" >&2
        usage >&2
        exit 2
        ;;
esac
