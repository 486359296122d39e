#!/bin/sh
# ofxparse 0.21 decides what a comma is by each amount alone: <TRNAMT>1,200 is 1.200, while <TRNAMT>1,200.00 is 1200.00. OFX
# allows a comma for the decimal sign and no sign between thousands; some programs write the latter all the same, and leave
# the cents out of round amounts.
#
# Seen: 1,200 is 1.200; 1,200.00 is 1200.00; 769,00 is 769.00.
# Hurts: a tuition payment of twelve hundred dollars is booked as $1.20, without an error, beside lines that are right. Only
# the file as a whole tells: an amount with a dot and a comma says which of them is which in all others.
#
# Fails if ofxparse behaves otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'ofxparse==0.21'
cat >"$folder/read.py" <<'PY'
import io
import warnings

from ofxparse import OfxParser

warnings.simplefilter("ignore")
HEADER = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"

def amount(written):
    text = HEADER + (
        "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260201<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>"
        "<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>CAD"
        "<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20260201"
        f"<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260131120000<TRNAMT>{written}<FITID>A1<NAME>FAMILY</STMTTRN></BANKTRANLIST>"
        "<LEDGERBAL><BALAMT>450.00<DTASOF>20260201</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    return OfxParser.parse(io.BytesIO(text.encode("ascii"))).account.statement.transactions[0].amount

print(amount("1,200"), amount("1,200.00"), amount("769,00"))
PY
seen=$("$folder/venv/bin/python" "$folder/read.py")
echo "1,200 and 1,200.00 and 769,00 are: $seen"
test "$seen" = '1.200 1200.00 769.00'
