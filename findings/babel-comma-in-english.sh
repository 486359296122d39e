#!/bin/sh
# Babel 2.19.0 reads 769,00 by the English of Canada as 76900: unless it is strict, it takes a sign between thousands out
# wherever it stands. Strict, it refuses by the French of Canada what the French of Canada type: 1 200,00 with a blank or a
# narrow no-break space, since CLDR's own sign for fr-CA is U+00A0 alone.
#
# Seen: en_CA 769,00 is 76900; fr_CA 1 200,00 is 1200.00, and an error if it is strict, with a blank as with U+202F.
# Hurts: a school's sheets and bank files come in both languages. Read leniently by the wrong one a fee is a hundred times
# too high; read strictly by the right one it is refused. The language has to be decided by the file, not by the setting.
#
# Fails if Babel behaves otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'babel==2.19.0'
cat >"$folder/read.py" <<'PY'
from babel.numbers import NumberFormatError, parse_decimal

def number(text, locale, strict=False):
    try:
        return parse_decimal(text, locale=locale, strict=strict)
    except NumberFormatError:
        return "refused"

strictly = [number(f"1{blank}200,00", "fr_CA", strict=True) for blank in (" ", "\u202f", "\u00a0")]
print(number("769,00", "en_CA"), number("1 200,00", "fr_CA"), *strictly)
PY
seen=$("$folder/venv/bin/python" "$folder/read.py")
echo "769,00 in English; 1 200,00 in French; strictly with a blank, U+202F and U+00A0: $seen"
test "$seen" = '76900 1200.00 refused refused 1200.00'
