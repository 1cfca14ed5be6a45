#!/bin/sh
# Print what a compiled proof assumes; fail unless it proves the theorem that it must,
# from the axioms in axioms.txt alone: those with which the standard library builds the reals.
#   ./assumptions.sh PART/CLAIM
set -eu
cd "$(dirname "$0")"
module=Proofs.$(echo "$1" | tr / .)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if grep -q '^Theorem refuted : ~ printed\.$' "$1.v"; then
  name=refuted goal='~ M.printed'
else
  name=proved goal='M.statement'
fi
cat > "$folder/ask.v" <<EOF
Require $module.
Module M := $module.
Check (M.$name : $goal).
Print Assumptions M.$name.
EOF
"${COQC:-coqc}" -q -Q . Proofs "$folder/ask.v" > "$folder/answer"
sed -n '/^Closed under\|^Axioms:\|^Section Variables:/,$p' "$folder/answer" > "$folder/printed"
grep -q '^Closed under the global context$\|^Axioms:$' "$folder/printed"
# Names start a line; types go on in lines that are indented.
names=$(sed -n 's/^\([A-Za-z_][^ :]*\).*/\1/p' "$folder/printed" | grep -v '^Closed$\|^Axioms$' || true)
for axiom in $names; do
  if ! grep -qxF "$axiom" axioms.txt; then
    echo "$1: rests on $axiom, which is not an axiom of the reals" >&2
    exit 1
  fi
done
{ echo "$name"; echo "$names"; } > "$1.assumptions"
# In one write, since parallel makes share the terminal.
# shellcheck disable=SC2086
printf '%s: %s; axioms: %s\n' "$1" "$name" "$(echo ${names:-none})"
