// Vite plugin: after the build, writes the outlines of the letters that the server draws its cards with into
// `letters/`, a file for each family. The server then needs no library that reads fonts.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip, inflateSync } from 'node:zlib';
import { Blob, Face, Feature, Font, Buffer as Line, shape } from 'harfbuzzjs';
import type { Plugin, ResolvedConfig } from 'vite';

/** As `src/website/card/letters.rs` reads them; lengths in thousandths of the size of the type. */
type Letters = {
  /** By character: how far it moves the next one, and its outline as an SVG path, y upwards. */
  outlines: Record<string, [advance: number, path: string]>;
  /** By two characters: how much closer the second one stands. */
  pairs: Record<string, number>;
};

const families = { serif: 'source-serif-4', sans: 'source-sans-3' };
const weight = 600;
/** The first that has a character draws it. */
const subsets = ['latin', 'latin-ext'];
// What European names are written with, and punctuation.
const drawn = /^[ -~\u00a1-\u017f\u0218-\u021b\u1e9e\u2010-\u2027\u2039\u203a\u20ac\u2122]$/;
// Where pairs are seen: in English and French.
const paired = /^[A-Za-zÀÂÄÇÈÉÊËÎÏÔÖÙÛÜàâäçèéêëîïôöùûü.,:()/&’-]$/;
// A ligature would be taken for two letters that stand close.
const apart = ['liga', 'clig', 'calt', 'ccmp'].map((tag) => new Feature(tag, 0));

export function writeLetters(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'schoolhouse:write-letters',
    apply: ({ mode }, { command }) => command === 'build' && mode !== 'template',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle() {
      const folder = join(resolve(config.root, config.build.outDir), 'letters');
      await mkdir(folder, { recursive: true });
      await Promise.all(
        Object.entries(families).map(async ([name, family]) => {
          const fonts = await Promise.all(subsets.map((subset) => read(family, subset)));
          const packed = await promisify(gzip)(JSON.stringify(lettersOf(fonts)), { level: 9 });
          await writeFile(join(folder, `${name}.json.gz`), packed);
        }),
      );
    },
  };
}

/** What a font has, and the font. */
type Subset = { characters: string[]; font: Font };

async function read(family: string, subset: string): Promise<Subset> {
  const find = createRequire(import.meta.url);
  const path = find.resolve(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`);
  const face = new Face(new Blob(unpack(await readFile(path))));
  const font = new Font(face);
  font.setScale(1000, 1000);
  const characters = [...face.collectUnicodes()].map((code) => String.fromCodePoint(code));
  return { characters: characters.filter((character) => drawn.test(character)), font };
}

function lettersOf(fonts: Subset[]): Letters {
  const letters: Letters = { outlines: {}, pairs: {} };
  for (const { characters, font } of fonts) {
    const own = characters.filter((character) => !letters.outlines[character]);
    for (const character of own) {
      const glyph = font.nominalGlyph(character.codePointAt(0) ?? 0) ?? 0;
      letters.outlines[character] = [font.glyphHAdvance(glyph), whole(font.glyphToPath(glyph))];
    }
    const advance = (character: string) => letters.outlines[character]?.[0] ?? 0;
    const line = new Line();
    const pairs = own.filter((character) => paired.test(character));
    for (const [first, second] of pairs.flatMap((one) => pairs.map((other) => [one, other] as const))) {
      const closer = advance(first) + advance(second) - widthOf(font, line, first + second);
      if (closer) letters.pairs[first + second] = closer;
    }
  }
  return letters;
}

/** An outline without fractions of a thousandth. */
function whole(path: string): string {
  return path.replace(/-?\d+\.\d+/g, (length) => String(Math.round(Number(length))));
}

function widthOf(font: Font, line: Line, text: string): number {
  line.reset();
  line.addText(text);
  line.guessSegmentProperties();
  shape(font, line, apart);
  return line.getGlyphPositions().reduce((width, { xAdvance }) => width + xAdvance, 0);
}

/** A WOFF is an OpenType font whose tables are deflated one by one (W3C, WOFF File Format 1.0, sections 3 to 5). */
function unpack(woff: Buffer): Uint8Array {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let end = header.length;
  for (let at = 0; at < count; at += 1) {
    const entry = 44 + 20 * at;
    const [from, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [number, number, number];
    const bytes = woff.subarray(from, from + packed);
    const table = packed < size ? inflateSync(bytes) : bytes;
    // Tag, checksum, offset, length; the tables lie on multiples of four.
    woff.copy(header, 12 + 16 * at, entry, entry + 4);
    woff.copy(header, 16 + 16 * at, entry + 16, entry + 20);
    header.writeUInt32BE(end, 20 + 16 * at);
    header.writeUInt32BE(size, 24 + 16 * at);
    tables.push(table, Buffer.alloc(-size & 3));
    end += size + (-size & 3);
  }
  return Buffer.concat([header, ...tables]);
}
