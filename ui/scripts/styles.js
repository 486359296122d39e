// Lints the style sheets: each beside its component or room, limited in length, and without selectors of others. Part
// of `npm run lint`.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'postcss';
import { unusedElements } from './unused-styles.js';

const most_lines = 300;
// A block of one or two declarations is on one line, if it fits into this many columns.
const most_columns = 100;
const breakpoints = new Set(['40rem', '54rem', '64rem']);
// A laptop's screen at 400 % zoom has so few lines.
const heights = new Set(['30rem']);
// Container queries in px: a rem would depend on the text size.
const containerWidths = new Set(['640px', '960px']);
const layers = new Set(['base', 'parts', 'pages']);
const colour = /#[\da-f]{3,8}\b|\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(|\b(white|black|red|green|blue|gr[ae]y|navy|gold)\b(?!-)/i;

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => join('src', file));
const code = files.filter((file) => file.endsWith('.tsx')).map((file) => readFileSync(file, 'utf8')).join('\n');
/** @type {string[]} */
const problems = [];
/** @type {Map<string, string>} */
const homes = new Map();

/** @param {string} name A class, or the start of one that is put together: `badge-${tone}`. */
function isUsed(name) {
  const start = name.slice(0, name.lastIndexOf('-') + 1);
  return new RegExp(`['"\`\\s]${name}['"\`\\s]`).test(code) || (start !== '' && code.includes(`${start}\${`));
}

/** @param {import('postcss').Node | undefined} node @param {string} name @returns {string[]} */
function around(node, name) {
  if (!node || node.type === 'root') return [];
  const rule = /** @type {import('postcss').AtRule} */ (node);
  return [...(rule.type === 'atrule' && rule.name === name ? [rule.params] : []), ...around(node.parent, name)];
}

for (const file of files.filter((name) => name.endsWith('.css'))) {
  const text = readFileSync(file, 'utf8');
  const root = parse(text, { from: file });
  /** @param {import('postcss').Node} node @param {string} words */
  const report = (node, words) => problems.push(`${file}:${node.source?.start?.line}: ${words}`);
  const isTokens = basename(file) === 'tokens.css';

  const lines = text.split('\n').length - 1;
  if (lines > most_lines) problems.push(`${file}: ${lines} lines, and ${most_lines} are the most`);
  if (!file.startsWith('src/styles/')) {
    for (const node of root.nodes.filter(({ type }) => type !== 'comment')) {
      const isInLayer = node.type === 'atrule' && node.name === 'layer' && layers.has(node.params);
      if (!isInLayer) report(node, 'stands in no layer');
    }
  }
  root.walk((node) => {
    if (!('nodes' in node) || !node.nodes?.length || node.nodes.length > 2 || node.nodes.some(({ type }) => type !== 'decl')) return;
    const line = node.toString().replace(/\s+/g, ' ').replace(/;? }$/, '; }');
    const fits = (node.source?.start?.column ?? 1) - 1 + line.length <= most_columns;
    if (fits && node.source?.start?.line !== node.source?.end?.line) report(node, `fits into one line: ${line}`);
  });
  root.walkAtRules(/^(media|container)$/, (rule) => {
    const allowed = rule.name === 'media' ? breakpoints : containerWidths;
    const isHeight = rule.params.includes('height');
    for (const [width] of rule.params.matchAll(/[\d.]+(rem|em|px)\b/g)) {
      if (!(isHeight ? heights : allowed).has(width)) report(rule, `${width} is none of the breakpoints (${[...allowed].join(', ')})`);
    }
  });
  root.walkDecls((declaration) => {
    if (declaration.important && !around(declaration, 'media').includes('print')) report(declaration, '!important is for print alone');
    if (!isTokens && !declaration.prop.includes('family') && colour.test(declaration.value.replace(/var\([^()]*\)/g, ''))) {
      report(declaration, `a colour belongs into styles/tokens.css: ${declaration.value}`);
    }
  });
  root.walkRules((rule) => {
    for (const [, name = ''] of rule.selector.matchAll(/\.(-?[_a-z][\w-]*)/gi)) {
      if (name.startsWith('is-')) continue;
      const home = homes.get(name) ?? file;
      homes.set(name, home);
      if (home !== file) report(rule, `.${name} is styled in ${home} already`);
      if (!isUsed(name)) report(rule, `.${name} is used by no component`);
    }
  });
}

for (const [, name = ''] of code.matchAll(/<([a-z]\w*)[\s/>]/g)) {
  if (unusedElements.test(name)) problems.push(`<${name}> has no style: it is in scripts/unused-styles.js`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
