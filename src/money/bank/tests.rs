//! Reading a bank's file.

mod whose;

use jiff::civil::date;
use serde_json::Value;

use super::*;

const TODAY: Date = date(2026, 11, 26);
const SCHOOL: &str = "Northern Gate Academy";

fn named(date: &str, text: &str, amount: &str) -> Columns {
    Columns { date: date.into(), text: text.into(), amount: amount.into(), ..Columns::default() }
}

fn read(bytes: &[u8], columns: Columns) -> Result<BankFile> {
    file::read(bytes.to_vec(), "Chequing", columns, None, TODAY)
}

/// Date, cents and text of each line.
fn lines(bytes: &[u8], columns: Columns) -> Vec<(String, i64, String)> {
    let file = read(bytes, columns).unwrap();
    file.lines.into_iter().map(|line| (line.date.to_string(), line.cents, line.text)).collect()
}

fn line(day: &str, cents: i64, text: &str) -> (String, i64, String) {
    (format!("2026-11-{day}"), cents, text.to_owned())
}

/// What the refusal says of the file, or of a column.
fn refusal(bytes: &[u8], columns: Columns) -> String {
    let Error::Invalid(fields) = read(bytes, columns).unwrap_err() else { panic!("400 with fields") };
    fields.iter().map(|(name, message)| format!("{name}: {message}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_files_of_canadian_banks_are_known_by_heading_or_shape() {
    let one = line("24", 50_000, "NGA-7QK4D");
    let two = line("25", -1_250, "FEE");
    for (bank, file) in [
        (
            "RBC",
            "\"Account Type\",\"Account Number\",\"Transaction Date\",\"Cheque Number\",\"Description 1\",\"Description 2\",\"CAD$\",\"USD$\"\n\
             Chequing,01234-567,11/24/2026,,\"NGA-7QK4D\",,500.00,\nChequing,01234-567,11/25/2026,,\"FEE\",,-12.50,\n",
        ),
        ("TD", "11/24/2026,NGA-7QK4D,,500.00,1500.00\n11/25/2026,FEE,12.50,,1487.50\n"),
        (
            "BMO",
            "Following data is valid as of 20261126101500 (Year/Month/Day/Hour/Minute/Second)\n\n\
             First Bank Card,Transaction Type,Date Posted, Transaction Amount,Description\n\n\
             '5001234567',CREDIT,20261124,500.00,NGA-7QK4D\n'5001234567',DEBIT,20261125,-12.50,FEE\n",
        ),
        ("Scotiabank", "11/24/2026,500.00,\"-\",,\"NGA-7QK4D\"\n11/25/2026,-12.50,\"-\",\"FEE\",\"\"\n"),
        (
            "Scotiabank, newer",
            "Filter,Date,Description,Sub-description,Type of Transaction,Amount,Balance\n\
             ,2026-11-24,NGA-7QK4D,,Credit,500.00,1500.00\n,2026-11-25,FEE,,Debit,12.50,1487.50\n",
        ),
        (
            "National Bank",
            "Date;Description;Category;Debit;Credit;Balance\n\
             2026-11-24;NGA-7QK4D;x;0;500.0;1500.0\n2026-11-25;FEE;x;12.5;0;1487.5\n",
        ),
        (
            "National Bank, each line as a whole between quotation marks",
            "\"Date;Description;Category;Debit;Credit;Balance\"\n\
             \"2026-11-24;NGA-7QK4D;x;0;500.0;1500.0\"\n\"2026-11-25;FEE;x;12.5;0;1487.5\"\n",
        ),
        (
            "Tangerine",
            "Date,Transaction,Name,Memo,Amount\n11/24/2026,CREDIT,NGA-7QK4D,,500\n11/25/2026,OTHER,FEE,,-12.5\n",
        ),
        (
            "Tangerine, French",
            "Date,Transaction,Nom,Description,Montant\n11/24/2026,CREDIT,NGA-7QK4D,,500\n11/25/2026,OTHER,FEE,,-12.5\n",
        ),
        (
            "EQ Bank",
            "Transfer date,Description,Amount,Balance\n2026-11-24,NGA-7QK4D,$500,$1500\n25 NOV 2026,FEE,-$12.50,$1487.50\n",
        ),
        (
            "Simplii",
            "Date, Transaction Details, Funds Out, Funds In \n11/24/2026,NGA-7QK4D,,500.00\n11/25/2026,FEE,12.50,\n",
        ),
        (
            "Vancity",
            "000000659243-004-Z -00001,24-Nov-2026,NGA-7QK4D,,,500.00,1500.00\n\
             000000659243-004-Z -00001,25-Nov-2026,FEE,,12.50,,1487.50\n",
        ),
        (
            "RBC, French",
            "\"Type de compte\",\"Num\u{e9}ro du compte\",\"Date de l'op\u{e9}ration\",\"Num\u{e9}ro du ch\u{e8}que\",\"Description 1\",\"Description 2\",\"CAD\",\"USD\"\n\
             Ch\u{e8}ques,1,11/24/2026,,\"NGA-7QK4D\",,500.00,,\nCh\u{e8}ques,1,11/25/2026,,\"FEE\",,-12.50,,\n",
        ),
    ] {
        assert_eq!(lines(file.as_bytes(), Columns::default()), [one.clone(), two.clone()], "{bank}");
        let windows = file.replace('\n', "\r\n");
        assert_eq!(lines(windows.as_bytes(), Columns::default()), [one.clone(), two.clone()], "{bank}");
    }
}

#[test]
fn a_line_in_us_dollars_is_no_payment_and_keeps_its_amount_in_words() {
    let file = "Account Type,Account Number,Transaction Date,Cheque Number,Description 1,Description 2,CAD$,USD$\n\
        Chequing,1,11/24/2026,,NGA-7QK4D,,500.00,\nChequing,1,11/25/2026,,WIRE,,,20.50\n";
    let expected = [line("24", 50_000, "NGA-7QK4D"), line("25", 0, "WIRE US$ 20.50")];
    assert_eq!(lines(file.as_bytes(), Columns::default()), expected);
    let empty = file.replace(",20.50", ",");
    assert_eq!(left_out(&empty, Columns::default()), [(3, "It has no amount.".to_owned())]);
}

#[test]
fn columns_are_named_by_heading_in_any_case_or_by_number() {
    let file = b"When;What;Who;How much\n24/11/2026;e-Transfer;Ada, Lovelace;1,200.00\n";
    let expected = [line("24", 120_000, "e-Transfer Ada, Lovelace")];
    for columns in
        [named("when", "WHAT,who", "how much"), named("1", "2,3", "4"), named("When", "2, Who", "4")]
    {
        let columns = Columns { date_format: Some(values::DateFormat::Dmy), ..columns };
        assert_eq!(lines(file, columns), expected);
    }
    // Without a heading the first line is one of the lines.
    let bare = b"2026-11-24,500,Ada\n2026-11-25,600,Ben\n";
    assert_eq!(lines(bare, named("1", "3", "2")), [line("24", 50_000, "Ada"), line("25", 60_000, "Ben")]);
    let both = Columns { credit: "2".into(), debit: "3".into(), ..named("1", "4", "") };
    assert_eq!(
        lines(b"Date,In,Out,Text\n2026-11-24,500,,Ada\n2026-11-25,0.00,12.50,Fee\n", both),
        [line("24", 50_000, "Ada"), line("25", -1_250, "Fee")]
    );
    for (columns, words) in [
        (named("Day", "3", "2"), "date: No column is called \u{201c}Day\u{201d}"),
        (named("1", "3", "9"), "amount: The file has 3 columns"),
        (named("1", "3", ""), "amount: Choose the column"),
        (Columns { credit: "2".into(), ..named("1", "3", "2") }, "amount: Choose the amount, or"),
        (Columns { credit: "2".into(), ..named("1", "3", "") }, "debit: Choose a column"),
    ] {
        let said = refusal(bare, columns);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_file_in_another_encoding_keeps_its_accents() {
    let columns = || named("1", "2", "3");
    let text = "2026-11-24,Zoë Müller \u{2013} frais,500\n";
    let western: Vec<u8> =
        text.chars().map(|c| if c == '\u{2013}' { 0x96 } else { u8::try_from(c).unwrap() }).collect();
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    for bytes in [text.as_bytes(), &western, &marked] {
        assert_eq!(lines(bytes, columns()), [line("24", 50_000, "Zoë Müller \u{2013} frais")]);
    }
    assert!(refusal(b"PK\x03\x04\0\0", columns()).contains("not a CSV file"));
}

/// The lines that are left out, each with its reason.
fn left_out(file: &str, columns: Columns) -> Vec<(u64, String)> {
    let file = read(file.as_bytes(), columns).unwrap();
    file.left_out.into_iter().map(|one| (one.line, one.reason)).collect()
}

#[test]
fn a_line_never_costs_another_and_each_says_why_it_is_left_out() {
    let file = "Date,Text,Amount,Status\n2026-02-30,Ada,500,\n2026-11-24,Ben,\"1.200,00\",\n2026-12-02,Eve,1,\n\
        2026-11-24,Fay,7.00,posted\n2026-11-24,Opening balance,,\nTotal,,7.00,\n2026-11-25,Gil,5.00,Pending\n\
        2026-11-24,Hal, unit 2,7.00,posted,\n2026-12-01,Ida,9.00,\n";
    let columns = || named("Date", "Text", "Amount");
    let reasons = left_out(file, columns());
    for (line, words) in [
        (2, "The date \u{201c}2026-02-30\u{201d} must be a real date"),
        (3, "The amount \u{201c}1.200,00\u{201d} the file writes its decimals otherwise"),
        (4, "2026-12-02 is in the future"),
        (6, "It has no amount"),
        (7, "The date \u{201c}Total\u{201d}"),
        (8, "The bank has not posted it yet"),
        (9, "It has 6 columns, and the others have 4: a comma"),
    ] {
        let reason = reasons.iter().find(|(at, _)| *at == line).unwrap_or_else(|| panic!("line {line}"));
        assert!(reason.1.contains(words), "{reason:?}");
    }
    assert_eq!(reasons.len(), 7, "{reasons:?}");
    let next_business_day = ("2026-12-01".to_owned(), 900, "Ida".to_owned());
    assert_eq!(lines(file.as_bytes(), columns()), [line("24", 700, "Fay"), next_business_day]);
    let said = refusal(b"Date,Text,Amount\nTotal,,5\n2026-11-24,Ada,x\n", columns());
    assert!(
        said.contains("no line can be read.\nline 2: The date") && said.contains("line 3: The amount"),
        "{said}"
    );
    for (file, words) in [
        (&b""[..], "empty"),
        (b"Date,Text,Amount\n", "no lines below"),
        (b"Date,Text,Amount\n2026-11-24,\"Ada,500\n", "line 2: a quotation mark"),
    ] {
        let said = refusal(file, named("1", "2", "3"));
        assert!(said.contains(words), "{said}");
    }
    // 5,000 lines below whatever stands above them, and no more.
    for above in ["", "Date,Text,Amount\n"] {
        let file = |lines| format!("{above}{}", "2026-11-24,Ada,500\n".repeat(lines));
        assert!(refusal(file(5_001).as_bytes(), named("1", "2", "3")).contains("5,000"));
        assert_eq!(read(file(5_000).as_bytes(), named("1", "2", "3")).unwrap().lines.len(), 5_000);
    }
}

#[test]
fn unknown_columns_are_asked_for_with_the_first_lines() {
    let Error::ColumnsUnknown(_, columns, shown) =
        read(b"When,What,How much\n2026-11-24,Ada,500\n", Columns::default()).unwrap_err()
    else {
        panic!("the columns are asked for")
    };
    assert_eq!(columns, ["When", "What", "How much"]);
    assert_eq!(shown["rows"][1], serde_json::json!(["2026-11-24", "Ada", "500"]));
}

/// What is asked about a file with the columns of the account's last one.
fn asked(file: &str, before: Option<Columns>) -> (String, Value) {
    let refused =
        file::read(file.as_bytes().to_vec(), "Account", Columns::default(), before, TODAY).unwrap_err();
    let Error::ColumnsUnknown(message, _, current) = refused else { panic!("{refused}") };
    (message.to_owned(), *current)
}

#[test]
fn columns_are_remembered_by_their_headings_and_asked_for_where_those_differ() {
    let first =
        read(b"Date,Description,Amount,Balance\n2026-11-24,Ada,10.00,5000.00\n", named("1", "2", "3"))
            .unwrap();
    assert_eq!((&*first.columns.amount, &*first.columns.text), ("Amount", "Description"));
    let next = |file: &str| {
        file::read(
            file.as_bytes().to_vec(),
            "Account",
            Columns::default(),
            Some(first.columns.clone()),
            TODAY,
        )
    };
    let moved = next("Date,Description,Balance,Amount\n2026-11-25,Ben,5769.00,769.00\n").unwrap();
    assert_eq!(moved.lines[0].cents, 76_900, "wherever the bank has moved it");
    let another = "Date,Description,Total,Balance\n2026-11-25,Ben,769.00,5769.00\n";
    let (message, current) = asked(another, Some(first.columns.clone()));
    assert!(message.contains("The headings of this file are not those"), "{message}");
    assert_eq!(current["chosen"]["amount"], "Amount", "what was chosen last time");
    // Columns from before headings were remembered, and of files without any.
    for (file, before) in [
        ("2026-11-24,Ada,500\n2026-11-25,Ben,1\n", named("3", "2", "1")),
        ("When,What,How much\n2026-11-24,Ada,500\n", named("Date", "Text", "Amount")),
    ] {
        assert!(asked(file, Some(before)).0.contains("The headings"), "{file}");
    }
}

#[test]
fn a_file_without_headings_is_proved_by_its_balances_or_asked_about() {
    let proven = "2026-11-26,E-TRANSFER,769.00,,5769.00\n2026-11-25,RENT,,1200.00,5000.00\n2026-11-24,ADA,100.00,,6200.00\n";
    let cents = |file: &str| -> Vec<i64> {
        lines(file.as_bytes(), Columns::default()).into_iter().map(|(_, cents, _)| cents).collect()
    };
    assert_eq!(cents(proven), [76_900, -120_000, 10_000], "deposits stand before withdrawals");
    let usual = "11/24/2026,ADA,,100.00,100.00\n11/25/2026,RENT,20.00,,80.00\n";
    assert_eq!(cents(usual), [10_000, -2_000], "and oldest first");
    for file in ["2026-11-24,ADA,,100.00\n2026-11-25,RENT,20.00,\n", "2026-11-24,ADA,,100.00,100.00\n"] {
        let (message, current) = asked(file, None);
        assert!(message.contains("nothing in it proves"), "{message}");
        assert_eq!(current["chosen"]["credit"], "4", "as TD and CIBC have it");
    }
    let wrong = Columns { credit: "4".into(), debit: "3".into(), ..named("1", "2", "") };
    let said = refusal(proven.as_bytes(), wrong);
    assert!(said.contains("credit: The balances of the file say otherwise: look at line 1"), "{said}");
    let desjardins = |balance: &str| {
        format!(
            "815,12345,EOP,2026/11/24,00001,\"Virement /ADA\",,,500.00,,,,,1500.00\n\
             815,12345,EOP,2026/11/25,00002,\"Frais\",,12.50,,,,,,{balance}\n"
        )
    };
    assert_eq!(cents(&desjardins("1487.50")), [50_000, -1_250]);
}

#[test]
fn a_direction_in_words_is_read_in_both_languages() {
    let columns = || Columns { direction: "Kind".into(), ..named("Date", "Text", "Amount") };
    let file =
        |word: &str| format!("Date,Text,Amount,Kind\n2026-11-24,x,12.00,{word}\n2026-11-24,y,5.00,Credit\n");
    for (word, cents) in [
        ("DR", -1_200),
        ("debit", -1_200),
        ("D\u{e9}bit", -1_200),
        ("Withdrawal", -1_200),
        ("Retrait", -1_200),
        ("Out", -1_200),
        ("CR", 1_200),
        ("cr\u{e9}dit", 1_200),
        ("Deposits", 1_200),
        ("D\u{e9}p\u{f4}t", 1_200),
        ("in", 1_200),
    ] {
        assert_eq!(lines(file(word).as_bytes(), columns())[0].1, cents, "{word}");
        // Unsigned amounts beside such a column are read by it without being told.
        assert_eq!(lines(file(word).as_bytes(), named("Date", "Text", "Amount"))[0].1, cents, "{word}");
    }
    let reasons = left_out(&file("Bill"), columns());
    assert!(reasons[0].1.contains("\u{201c}Bill\u{201d} does not say whether"), "{reasons:?}");
    let french = "Filtre,Date,Description,Sous-description,\u{c9}tat,Type d\u{2019}op\u{e9}ration,Montant\n\
        ,2026-11-24,d\u{e9}p\u{f4}t,,Inscrites,Cr\u{e9}dit,769.00\n,2026-11-24,loyer,,Inscrites,D\u{e9}bit,1200.00\n\
        ,2026-11-25,ADA,,En attente,Cr\u{e9}dit,5.00\n";
    let expected = [line("24", 76_900, "d\u{e9}p\u{f4}t"), line("24", -120_000, "loyer")];
    assert_eq!(lines(french.as_bytes(), Columns::default()), expected);
    assert!(left_out(french, Columns::default())[0].1.contains("not posted"));
}

#[test]
fn french_amounts_dates_and_headings_are_read() {
    let file = "Date;Description;Cat\u{e9}gorie;D\u{e9}bit;Cr\u{e9}dit;Solde\n\
        15 d\u{e9}c. 2025;Virement;;0;\"1 269,00 $\";\"1 500,00\"\n7 ao\u{fb}t 2026;Frais;;1,200;0;5,5\n";
    let read = lines(file.as_bytes(), Columns::default());
    assert_eq!((read[0].1, &*read[0].0), (126_900, "2025-12-15"));
    assert_eq!(read.len(), 1, "three digits behind a decimal comma are left out");
    let order = "Date,Text,Amount\n03/11/2026,un,769.00\n25/11/2026,deux,10.00\n";
    assert_eq!(lines(order.as_bytes(), named("Date", "Text", "Amount"))[0].0, "2026-11-03", "25 is no month");
    let either = "Date,Text,Amount\n03/11/2026,un,769.00\n";
    let refused = file::read(either.into(), "A", named("Date", "Text", "Amount"), None, TODAY).unwrap_err();
    let Error::ColumnsUnknown(_, _, current) = refused else { panic!("{refused}") };
    assert_eq!(current["asks"], "dateFormat");
}

#[test]
fn of_several_accounts_one_is_chosen_and_remembered() {
    let file = "Account Type,Account Number,Transaction Date,Cheque Number,Description 1,Description 2,CAD$,USD$\n\
        Chequing,1,11/24/2026,,ADA,,769.00,\nSavings,2,11/24/2026,,TRANSFER,,5000.00,\n";
    let (_, current) = asked(file, None);
    assert_eq!(current["asks"], "account");
    assert_eq!(
        current["accounts"],
        serde_json::json!([{ "number": "1", "lines": 1 }, { "number": "2", "lines": 1 }])
    );
    let chosen = Columns { account_number: "1".into(), ..Columns::default() };
    let first = read(file.as_bytes(), chosen).unwrap();
    assert_eq!((first.lines.len(), &*first.left_out[0].reason), (1, "It is of the account 2."));
    let again = file::read(file.into(), "Chequing", Columns::default(), Some(first.columns), TODAY).unwrap();
    assert_eq!(again.lines, first.lines);
}

#[test]
fn statements_in_ofx_and_camt_are_read_and_other_files_named() {
    let ofx = "OFXHEADER:100\nDATA:OFXSGML\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CAD\n\
        <BANKACCTFROM><BANKID>1<ACCTID>123</BANKACCTFROM><BANKTRANLIST>\n\
        <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261124210000[-5:EST]<TRNAMT>769.00<FITID>A1<NAME>ADA &amp; BEN<MEMO>NGA</STMTTRN>\n\
        <STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>20261125\n<TRNAMT>-12.50\n<FITID>A2\n<NAME>FEE\n</STMTTRN>\n\
        <STMTTRNP><DTPOSTED>20261125<TRNAMT>5.00<NAME>EVE</STMTTRNP></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>";
    let expected = [line("24", 76_900, "ADA & BEN NGA"), line("25", -1_250, "FEE")];
    assert_eq!(lines(ofx.as_bytes(), Columns::default()), expected);
    assert!(left_out(ofx, Columns::default())[0].1.contains("not posted"));
    let xml = ofx
        .replace("OFXHEADER:100", "<?xml version=\"1.0\"?><?OFX OFXHEADER=\"200\"?>")
        .replace("ADA &amp; BEN<", "ADA &amp; BEN</NAME><");
    assert_eq!(lines(xml.as_bytes(), Columns::default()), expected);
    let comma = ofx.replace("769.00", "769,00").replace("-12.50", "-12,50");
    assert_eq!(lines(comma.as_bytes(), Columns::default()), expected);
    let dollars = refusal(ofx.replace(">CAD", ">USD").as_bytes(), Columns::default());
    assert!(dollars.contains("It is in USD"), "{dollars}");

    let camt = "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"><BkToCstmrStmt><Stmt>\
        <Acct><Id><Othr><Id>123</Id></Othr></Id></Acct>\
        <Ntry><Amt Ccy=\"CAD\">769.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-24</Dt></BookgDt>\
        <NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Ada</Nm></Dbtr></RltdPties><RmtInf><Ustrd>NGA</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\
        <Ntry><Amt Ccy=\"CAD\">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
        <BookgDt><DtTm>2026-11-25T21:30:00-05:00</DtTm></BookgDt><AddtlNtryInf>Fee</AddtlNtryInf></Ntry>\
        <Ntry><Amt Ccy=\"CAD\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry></Stmt></BkToCstmrStmt></Document>";
    assert_eq!(
        lines(camt.as_bytes(), Columns::default()),
        [line("24", 76_900, "Ada NGA"), line("25", -1_250, "Fee")]
    );
    assert!(left_out(camt, Columns::default())[0].1.contains("not posted"));
    assert!(
        refusal(camt.replace("</Stmt>", "").as_bytes(), Columns::default()).contains("is damaged at line 1")
    );
    // Nothing that a document type could name is read.
    let typed = camt.replacen("<Document", "<!DOCTYPE Document [<!ENTITY name \"Ada\">]><Document", 1);
    assert!(refusal(typed.as_bytes(), Columns::default()).contains("is damaged"));

    for (file, words) in [
        (&b"%PDF-1.7\n"[..], "This is a PDF"),
        (b"PK\x03\x04", "a workbook"),
        (b":20:STMT\n:25:1\n:60F:C261101CAD1,00\n", "an MT940 file"),
        (b"!Type:Bank\nD11/24'26\n", "a QIF file"),
        (b"<!doctype html><p>Sign in", "a web page"),
        (b"<?xml version=\"1.0\"?><a/>", "no account statement"),
    ] {
        let said = refusal(file, Columns::default());
        assert!(said.contains(words) && said.contains("CSV"), "{said}");
    }
}

#[test]
fn two_equal_lines_of_a_file_are_two_and_the_same_in_the_next_file() {
    let hashes = |file: &[u8]| -> Vec<_> {
        read(file, named("1", "2", "3")).unwrap().lines.into_iter().map(|line| line.hash).collect()
    };
    let twice = hashes(b"2026-11-24,Ada,500\n2026-11-24,Ada,500\n2026-11-24,Ada,501\n");
    assert!(twice[0] != twice[1] && twice[1] != twice[2]);
    assert_eq!(hashes(b"2026-11-23,Ben,1\n2026-11-24,Ada,500.00\n")[1], twice[0]);
    let other =
        file::read(b"2026-11-24,Ada,500\n".to_vec(), "Savings", named("1", "2", "3"), None, TODAY).unwrap();
    assert_ne!(other.lines[0].hash, twice[0], "another account");
}

#[test]
fn a_file_is_read_by_few_columns() {
    let read = |texts: usize| {
        let text = vec!["2"; texts].join(",");
        let columns = Columns { date: "1".into(), text, amount: "3".into(), ..Columns::default() };
        super::file::read(b"2026-11-20,From Mei,500.00\n".to_vec(), "Main", columns, None, TODAY)
    };
    assert_eq!(read(20).unwrap().lines.len(), 1);
    let Err(Error::Invalid(errors)) = read(7_000) else { panic!("7,000 columns were read") };
    assert!(errors.iter().all(|(field, message)| (field, message) == ("text", "Choose at most 20 columns")));
}

#[test]
fn what_one_file_of_an_account_told_holds_for_the_next_one() {
    let first = "Date,Text,Amount,Kind\n2026-11-24,ADA,769.00,Deposit\n2026-11-24,RENT,1200.00,Withdrawal\n";
    let first = read(first.as_bytes(), named("Date", "Text", "Amount")).unwrap();
    assert_eq!(first.columns.direction, "Kind");
    let next = |file: &str, before: &Columns| {
        file::read(file.into(), "Account", Columns::default(), Some(before.clone()), TODAY).unwrap()
    };
    let file = "Date,Text,Amount,Kind\n2026-11-25,RENT,1200.00,Withdrawal\n2026-11-25,POWER,80.00,Bill\n";
    let second = next(file, &first.columns);
    assert_eq!(second.lines.iter().map(|line| line.cents).collect::<Vec<_>>(), [-120_000]);
    assert!(second.left_out[0].reason.contains("\u{201c}Bill\u{201d} does not say"), "{:?}", second.left_out);
    // One word among many that tells nothing costs its line alone, from the first file on.
    let mixed = format!("{file}2026-11-25,BEN,5.00,Deposit\n");
    let mixed = read(mixed.as_bytes(), named("Date", "Text", "Amount")).unwrap();
    assert_eq!((mixed.lines.len(), mixed.left_out.len()), (2, 1));

    let month_first =
        read(b"Date,Text,Amount\n11/25/2026,ADA,1.00\n", named("Date", "Text", "Amount")).unwrap();
    let day_first =
        next("Date,Text,Amount\n03/11/2026,ADA,1.00\n25/11/2026,BEN,2.00\n", &month_first.columns);
    assert_eq!(
        day_first.lines[0].date.to_string(),
        "2026-11-03",
        "what the file proves comes before what was"
    );
    let either = next("Date,Text,Amount\n03/11/2026,ADA,1.00\n", &month_first.columns);
    assert_eq!(either.lines[0].date.to_string(), "2026-03-11", "and what was, before a question");
}
