#!/usr/bin/env bash
# Runs commands, all of them even if one fails, and says at the end which did:
# tools/steps.sh "COMMAND" ["COMMAND" ...], each a line for the shell.
set -u

failed=()
for step in "$@"; do
  start=$SECONDS
  printf '\n== %s\n' "$step"
  bash -c "$step"
  status=$?
  # An interrupted run is over.
  [ "$status" -lt 129 ] || exit "$status"
  [ "$status" -eq 0 ] || failed+=("$step")
  printf '== %d s, status %d\n' $((SECONDS - start)) "$status"
done

printf '\n%d of %d steps failed\n' "${#failed[@]}" "$#"
[ "${#failed[@]}" -eq 0 ] || printf '  %s\n' "${failed[@]}"
[ "${#failed[@]}" -eq 0 ]
