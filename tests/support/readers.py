"""Opens PDFs with three readers: `make FOLDER` writes documents as programs write them, `compare FOLDER` says where
`x.pdf` and `x.pdf.kept` do not look alike, and what in the latter is more than pages, `papers FOLDER` what the school's
own PDFs lack, and writes down their text. Nothing said is well."""

import pathlib
import sys

import pikepdf
import pymupdf
import pypdfium2
from PIL import Image, ImageChops, ImageDraw
from pikepdf import Array, Dictionary, Name

# What MuPDF has to say about files as they came is no finding.
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

SCALE = 1.0
PAGES = 3


def make(folder):
    def pages():
        document = pymupdf.open()
        for number in range(2):
            page = document.new_page()
            page.insert_text((72, 90), f"School transcript, page {number}", fontsize=24)
            page.draw_rect((72, 120, 300, 240), color=(1, 0, 0), fill=(0, 0.6, 0), fill_opacity=0.4)
            page.insert_htmlbox((72, 260, 400, 330), "<i>Relevé</i> · Żółć · <b>Ωμέγα</b>")
        return document

    def picture(mode):
        drawn = Image.new("RGB", (600, 800), (250, 249, 245))
        pen = ImageDraw.Draw(drawn)
        for line in range(20):
            pen.text((40, 30 + 36 * line), f"Scanned line {line} of a certificate", fill=(20, 20, 60), font_size=22)
        pen.ellipse((300, 500, 560, 760), outline=(200, 0, 0), width=12)
        return drawn.convert(mode)

    plain = pages()
    plain.save(folder / "plain.pdf")
    plain.save(folder / "packed.pdf", garbage=3, deflate=True, use_objstms=1)
    for name, method in [("rc4", pymupdf.PDF_ENCRYPT_RC4_128), ("aes256", pymupdf.PDF_ENCRYPT_AES_256)]:
        plain.save(folder / f"{name}.pdf", encryption=method, owner_pw="o", user_pw="", permissions=0)

    turned = pages()
    turned[0].set_rotation(90)
    turned[1].set_cropbox((50, 50, 400, 500))
    turned.save(folder / "turned.pdf")

    layers = pymupdf.open()
    page = layers.new_page()
    for at, (name, is_shown) in enumerate([("shown", True), ("hidden", False)]):
        page.insert_text((72, 100 + 100 * at), name, fontsize=60, oc=layers.add_ocg(name, on=is_shown))
    layers.save(folder / "layers.pdf")

    marked = pages()
    page = marked[0]
    page.add_highlight_annot((72, 70, 300, 95))
    page.add_freetext_annot((100, 400, 400, 440), "to be returned", fontsize=20)
    page.add_stamp_annot((300, 500, 500, 580))
    page.add_ink_annot([[(100, 600), (200, 620), (300, 580)]])
    marked.save(folder / "marked.pdf")

    filled = pymupdf.open()
    page = filled.new_page()
    for at, (kind, value) in enumerate(
        [(pymupdf.PDF_WIDGET_TYPE_TEXT, "Amara Okonkwo"), (pymupdf.PDF_WIDGET_TYPE_CHECKBOX, True)]
    ):
        field = pymupdf.Widget()
        field.field_name, field.field_type, field.field_value = f"field {at}", kind, value
        field.rect = pymupdf.Rect(72, 72 + 50 * at, 300, 104 + 50 * at)
        page.add_widget(field)
    filled.save(folder / "filled.pdf")

    for mode in ["RGB", "L", "1", "CMYK"]:
        picture(mode).save(folder / f"scan-{mode}.pdf", resolution=100)

    with pikepdf.open(folder / "packed.pdf") as document:
        script = Dictionary(S=Name.JavaScript, JS="app.alert(1)")
        document.Root.OpenAction = script
        document.Root.AA = Dictionary(WP=script)
        document.attachments["a.txt"] = b"hello"
        document.pages[0].AA = Dictionary(O=script)
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[72, 700, 300, 760], Border=[0, 0, 0], A=script)
        document.pages[0].Annots = Array([document.make_indirect(link)])
        with document.open_metadata() as metadata:
            metadata["dc:title"] = "secret"
        document.save(folder / "scripted.pdf", linearize=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        document.save(folder / "scripted-aes256.pdf", encryption=pikepdf.Encryption(owner="o", user="", R=6))


def draw_by_pdfium(path):
    document = pypdfium2.PdfDocument(path)
    document.init_forms()
    return [page.render(scale=SCALE).to_pil().convert("RGB") for page in document]


def draw_by_mupdf(path):
    document = pymupdf.open(path, filetype="pdf")
    drawn = (page.get_pixmap(matrix=pymupdf.Matrix(SCALE, SCALE), alpha=False) for page in document)
    return [Image.frombytes("RGB", (one.width, one.height), one.samples) for one in drawn]


def differing(one, other):
    """The part of the pixels that differ by more than the edge of a letter."""
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 50 else 0)
    return difference.histogram()[255] / (one.width * one.height)


CATALOG = {"/Type", "/Pages", "/OCProperties", "/OutputIntents"}
PAGE = {"/Type", "/Parent", "/MediaBox", "/CropBox", "/Rotate", "/UserUnit", "/Group", "/Contents", "/Resources", "/Annots"}
ANNOTATION = {"/Type", "/Subtype", "/Rect", "/F", "/OC", "/AP"}
ACTIONS = {"/JavaScript", "/Launch", "/URI", "/GoToR", "/GoToE", "/SubmitForm", "/ImportData", "/Rendition", "/Named"}


def dangers(path):
    with pikepdf.open(path) as document:
        if document.is_encrypted or document.attachments or "/Info" in document.trailer:
            yield "it is encrypted, or has attachments or a description"
        yield from (f"the catalog has {key}" for key in set(document.Root.keys()) - CATALOG)
        for page in document.pages:
            yield from (f"a page has {key}" for key in set(page.obj.keys()) - PAGE)
            for annotation in page.obj.get("/Annots", []):
                yield from (f"an annotation has {key}" for key in set(annotation.keys()) - ANNOTATION)
        for thing in document.objects:
            if isinstance(thing, (Dictionary, pikepdf.Stream)) and str(thing.get("/S", "")) in ACTIONS:
                yield f"there is an action {thing.S}"
        yield from (f"qpdf says: {problem}" for problem in document.check_pdf_syntax())
    document = pymupdf.open(path, filetype="pdf")
    if document.embfile_count() or document.get_toc() or document.is_form_pdf or document.needs_pass:
        yield "MuPDF finds attachments, an outline, a form or a password"
    if any(page.first_link or page.first_widget for page in document):
        yield "MuPDF finds links or fields"
    if pypdfium2.PdfDocument(path).get_formtype() or list(pypdfium2.PdfDocument(path).get_toc()):
        yield "PDFium finds a form or an outline"


def compare(folder):
    for kept in sorted(folder.glob("*.kept")):
        came = kept.with_suffix("")
        for problem in dangers(kept):
            print(f"{came.name}: {problem}")
        for draw in [draw_by_pdfium, draw_by_mupdf]:
            try:
                before = draw(came)
            except Exception:
                continue  # Not every reader opens every odd file; what is kept, all of them do.
            after = draw(kept)
            if len(before) != len(after):
                print(f"{came.name}: {draw.__name__}: {len(before)} pages became {len(after)}")
            for number, (one, other) in enumerate(zip(before[:PAGES], after[:PAGES])):
                if one.size != other.size or differing(one, other) > 0.002:
                    print(f"{came.name}: {draw.__name__}: page {number} looks different")


def structure(element, kind=None):
    """The elements below one, each with its tag."""
    kids = element.get("/K", [])
    for kid in kids if isinstance(kids, Array) else [kids]:
        if isinstance(kid, Dictionary) and "/S" in kid:
            yield str(kid.S), kid
            yield from structure(kid)


def marked(element):
    """How many pieces of the pages an element holds."""
    kids = element.get("/K", [])
    kids = list(kids) if isinstance(kids, Array) else [kids]
    return sum(marked(kid) if isinstance(kid, Dictionary) and "/S" in kid else 1 for kid in kids)


def attribute(element, name):
    attributes = element.get("/A", [])
    for one in attributes if isinstance(attributes, Array) else [attributes]:
        if name in one:
            return one[name]
    return None


def lacks(path):
    """What a tagged PDF that is read aloud lacks (ISO 14289-1, by hand)."""
    with pikepdf.open(path) as document:
        root = document.Root
        yield from (f"qpdf says: {problem}" for problem in document.check_pdf_syntax())
        if str(root.get("/Lang", "")) != "en-CA" or not root.MarkInfo.Marked or not root.ViewerPreferences.DisplayDocTitle:
            yield "no language, not marked, or its title is not shown"
        if not str(document.docinfo.get("/Title", "")):
            yield "no title"
        with document.open_metadata() as metadata:
            if metadata.get("pdfuaid:part") != "1" or not metadata.get("dc:title"):
                yield "it does not say that it is PDF/UA"
        fonts = [thing for thing in document.objects if isinstance(thing, Dictionary) and thing.get("/Type") == Name.Font]
        files = [thing for thing in document.objects if isinstance(thing, Dictionary) and thing.get("/Type") == Name.FontDescriptor]
        if not fonts or not files or not all("/FontFile2" in one or "/FontFile3" in one for one in files):
            yield "a font is not in the file"
        if not all("/ToUnicode" in font for font in fonts if font.Subtype == Name.Type0):
            yield "a font says no letters"
        elements = list(structure(root.StructTreeRoot))
        tags = [tag for tag, _ in elements]
        if tags.count("/H1") != 1 or tags[1] != "/H1" or "/Table" not in tags:
            yield f"its parts are {tags}"
        if any(tag == "/TH" and attribute(element, "/Scope") is None for tag, element in elements):
            yield "a head of a table does not say of what"
        for tag, table in elements:
            rows = [row for kind, row in structure(table) if tag == "/Table" and kind == "/TR"]
            widths = {sum(int(attribute(cell, "/ColSpan") or 1) for _, cell in structure(row)) for row in rows}
            if len(widths) > 1:
                yield f"a table has rows of {widths} cells"
        if any(tag in ("/TH", "/P", "/H1", "/H2") and not marked(element) for tag, element in elements):
            yield "a part is empty"
        found = 0
        for page in document.pages:
            depth = 0
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) in ("BDC", "BMC"):
                    depth += 1
                    found += str(operator) == "BDC" and "/MCID" in operands[1]
                elif str(operator) == "EMC":
                    depth -= 1
                elif str(operator) in ("Tj", "TJ", "f", "S") and depth != 1:
                    yield "something is drawn that is neither text nor an ornament"
        if found != marked(root.StructTreeRoot):
            yield f"{found} pieces of text, {marked(root.StructTreeRoot)} read aloud"


def papers(folder):
    for path in sorted(folder.glob("*.pdf")):
        for problem in lacks(path):
            print(f"{path.name}: {problem}")
        mupdf = "\n".join(page.get_text() for page in pymupdf.open(path))
        pdfium = "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path))
        if sorted("".join(mupdf.split())) != sorted("".join(pdfium.split())):
            print(f"{path.name}: MuPDF and PDFium read different letters")
        path.with_suffix(".txt").write_text(" ".join(mupdf.split()))


{"make": make, "compare": compare, "papers": papers}[sys.argv[1]](pathlib.Path(sys.argv[2]))
