#!/usr/bin/env bash
# Whole processes side by side on one file: wc, grep, and this program. Ratios matter, not seconds.
# Usage: benches/compare.sh [SIZE]   (default 200M; the file is made in a folder of its own and removed)
set -euo pipefail
cd "$(dirname "$0")/.."

size=${1:-200M}
cargo build --release --bin nmeasimx --example biglog
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/nmeasimx-bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
target/release/examples/biglog "$size" >"$folder/format1.log"
target/release/examples/biglog "$size" plain >"$folder/bare.log"

# The best of seven, in hundredths of a millisecond.
best() {
    local best=999999999999 start end
    for _ in 1 2 3 4 5 6 7; do
        start=$(date +%s%N)
        "$@" >"$folder/out" # grep looks whether it is /dev/null
        end=$(date +%s%N)
        ((end - start < best)) && best=$((end - start))
    done
    echo $((best / 10000))
}

for log in "$folder/format1.log" "$folder/bare.log"; do
    cat "$log" >/dev/null # warm
    printf '\n%s: %s bytes, %s lines\n' "$(basename "$log")" "$(stat -c %s "$log")" "$(wc -l <"$log")"
    wc=$(best wc -l "$log")
    row() {
        local name=$1 time
        shift
        time=$(best "$@")
        printf '%-28s %8d.%02d ms %6d.%02d x wc -l\n' "$name" $((time / 100)) $((time % 100)) $((time / wc)) $((time * 100 / wc % 100))
    }
    row 'wc -l' wc -l "$log"
    row 'cat' cat "$log"
    row "grep -c '\\*'" grep -c '\*' "$log"
    row 'nmeasimx check --json' target/release/nmeasimx check --json "$log"
    row 'nmeasimx convert --to +1s' target/release/nmeasimx convert --to +1s "$log" # opens the whole log
    row 'nmeasimx convert --plain' target/release/nmeasimx convert --plain "$log"
    if target/release/nmeasimx decode --help >/dev/null 2>&1; then
        row 'nmeasimx decode' target/release/nmeasimx decode "$log"
    fi
done
