#!/bin/sh
# price-parser 0.5.1 reads an amount without its sign: -45.00, (45.00) and 45.00- are 45.00. It is made for the prices of
# shops, which have none, and is a common answer to "how do I read an amount with a currency". Three digits behind a dot are
# thousands to it, in any currency: $1.200 is 1200; what stands behind a sign of the currency is left out: 1$50 is 1.
#
# Seen: 45.00 three times, then 1200 and 1.
# Hurts: a statement's withdrawals, and the parentheses of a sheet from an accountant, become money received.
#
# Fails if price-parser behaves otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'price-parser==0.5.1'
seen=$("$folder/venv/bin/python" -c "
from price_parser import Price
print(*(Price.fromstring(text).amount for text in ('-45.00', '(45.00)', '45.00-', '\$1.200', '1\$50')))")
echo "-45.00, (45.00), 45.00-, \$1.200 and 1\$50 are: $seen"
test "$seen" = '45.00 45.00 45.00 1200 1'
