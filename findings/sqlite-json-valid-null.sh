#!/bin/sh
# SQLite's json_valid(null) is 0 up to 3.41 and null from 3.42 on. A check constraint is kept by null and broken by 0, so that
# "check (json_valid(notes))" on a column that may be null takes a null row in a program with its own new SQLite, and the
# same file is refused by an older one.
#
# Seen: 3.41.2 answers 0 and refuses the null; 3.42.0 answers null and takes it.
# Hurts: Debian 12's sqlite3 is 3.40: its "pragma integrity_check" reports the rows of a sound database as damaged, and a dump
# cannot be loaded there. "check (notes is null or json_valid(notes))" means the same in both.
#
# Fails if those versions behave otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/read.py" <<'PY'
import apsw

database = apsw.Connection(":memory:")
database.execute("create table students (notes text check (json_valid(notes)))")
try:
    database.execute("insert into students values (null)")
    taken = "taken"
except apsw.ConstraintError:
    taken = "refused"
((answer,),) = database.execute("select json_valid(null)")
print(apsw.sqlitelibversion(), "null" if answer is None else answer, taken, sep=" ")
PY
seen=
for version in 3.41.2.0 3.42.0.0; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "apsw==$version"
    seen="$seen$("$folder/$version/bin/python" "$folder/read.py");"
done
echo "json_valid(null), and a null under its check: $seen"
test "$seen" = '3.41.2 0 refused;3.42.0 null taken;'
