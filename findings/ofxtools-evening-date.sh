#!/bin/sh
# ofxtools 1.1.1 reads DTPOSTED 20260131210000[-5:EST] as an instant in UTC: 2026-02-01 02:00. OFX allows the offset (2.2,
# section 3.2.8.2), and banks in Ontario write it. Whoever takes the date of it has another day than the bank's own
# statement, and at the end of a month another month.
#
# Seen: the evening line of January 31 is of February 1; the same line at noon is of January 31.
# Hurts: a payment received on the last day of a term or a tax year counts in the next one; the same line by CSV and by
# OFX has two dates, so that it is not known again.
#
# Fails if ofxtools behaves otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'ofxtools==1.1.1'
cat >"$folder/read.py" <<'PY'
import io
from ofxtools.Parser import OFXTree

HEADER = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"

def day(posted):
    text = HEADER + (
        "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260201<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>"
        "<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>CAD"
        "<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20260201"
        f"<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>{posted}<TRNAMT>450.00<FITID>A1<NAME>FAMILY</STMTTRN></BANKTRANLIST>"
        "<LEDGERBAL><BALAMT>450.00<DTASOF>20260201</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    parser = OFXTree()
    parser.parse(io.BytesIO(text.encode("ascii")))
    return parser.convert().statements[0].transactions[0].dtposted.date().isoformat()

print(day("20260131210000[-5:EST]"), day("20260131120000[-5:EST]"))
PY
seen=$("$folder/venv/bin/python" "$folder/read.py")
echo "the evening's date, and noon's: $seen"
test "$seen" = '2026-02-01 2026-01-31'
