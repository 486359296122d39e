// Requires an element of its own for every text that changes, appears or disappears. Page translation replaces text
// nodes by elements, and React cannot change or remove a missing text node: changes are lost silently, removals break
// the page. Text that fills its element is safe.
//
// Reported, by the compiler's types of expressions:
// - beside other children: changing text, and any text next to conditional children;
// - text at the top level of a fragment, whose parent element is unknown;
// - possible text as a prop or result of a component (`ReactNode`), beside other children: use `Elements`.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const { TypeFlags } = ts;

/** @param {ts.TypeChecker} checker @param {ts.Type} type @returns {('fixed' | 'text' | 'nothing' | 'list' | 'element')[]} */
function members(checker, type) {
  if (type.isUnion()) return type.types.flatMap((each) => members(checker, each));
  if (type.isStringLiteral()) return [type.value ? 'fixed' : 'nothing'];
  if (type.flags & (TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BigIntLike | TypeFlags.Any | TypeFlags.Unknown)) return ['text'];
  if (type.flags & (TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void | TypeFlags.BooleanLike)) return ['nothing'];
  const item = checker.isArrayLikeType(type) && type.getNumberIndexType();
  if (!item) return ['element'];
  return (item.isUnion() ? item.types : [item]).some((each) => each.flags & TypeFlags.StringLike && !(each.isStringLiteral() && !each.value)) ? ['list', 'text'] : ['list'];
}

/** The kind of a child: changing text, fixed text, conditional, or a fixed element. */
/** @param {ts.TypeChecker} checker @param {ts.JsxChild} child */
function kindOf(checker, child) {
  if (ts.isJsxText(child)) return 'fixed';
  if (!ts.isJsxExpression(child) || !child.expression) return 'element';
  const kinds = new Set(members(checker, checker.getTypeAtLocation(child.expression)));
  if (kinds.has('text') || (kinds.has('fixed') && checker.getTypeAtLocation(child.expression).isUnion())) return 'text';
  if (kinds.has('fixed')) return 'fixed';
  return kinds.has('list') || kinds.has('nothing') ? 'comes' : 'element';
}

/** Neither white space, which is not translated, nor a template placeholder. */
/** @param {ts.JsxChild} child */
function isDrawn(child) {
  const text = ts.isJsxText(child) ? child.text : ts.isJsxExpression(child) && child.expression && ts.isStringLiteral(child.expression) ? child.expression.text : null;
  return text === null ? !ts.isJsxExpression(child) || Boolean(child.expression) : Boolean(text.trim()) && !/^\{[{%]/.test(text);
}

/** @param {ts.TypeChecker} checker @param {ts.JsxElement | ts.JsxFragment} node */
function isUnsafe(checker, node) {
  const kinds = node.children.filter(isDrawn).map((child) => kindOf(checker, child));
  const hasText = kinds.includes('text') || kinds.includes('fixed');
  if (ts.isJsxFragment(node)) return hasText;
  return kinds.length > 1 && (kinds.includes('text') || (kinds.includes('fixed') && kinds.includes('comes')));
}

/** Whether a component renders bare text, whose parent element is unknown. */
/** @param {ts.TypeChecker} checker @param {ts.JsxOpeningLikeElement} node */
function drawsText(checker, node) {
  const component = checker.getResolvedSignature(node);
  // Library components declare `ReactNode`, but render elements.
  if (!component?.declaration?.getSourceFile()?.fileName.startsWith(`${root}src/`)) return false;
  return members(checker, component.getReturnType()).some((kind) => kind === 'text' || kind === 'fixed');
}

const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
const program = ts.createProgram(fileNames.filter((name) => name.startsWith(`${root}src/`) && !name.includes('.test.')), options);
const checker = program.getTypeChecker();
/** @type {string[]} */
const unsafe = [];

for (const file of program.getSourceFiles()) {
  // template.tsx's placeholders are rendered only by the build.
  if (file.isDeclarationFile || !file.fileName.startsWith(`${root}src/`) || file.fileName.endsWith('/template.tsx')) continue;
  ts.forEachChild(file, function visit(node) {
    if (((ts.isJsxElement(node) || ts.isJsxFragment(node)) && isUnsafe(checker, node)) || (ts.isJsxOpeningLikeElement(node) && drawsText(checker, node))) {
      unsafe.push(`${file.fileName.slice(root.length)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  });
}

if (unsafe.length > 0) {
  console.error(`Text that changes, comes or goes beside something else needs an element of its own (page translation):\n${unsafe.join('\n')}`);
  process.exit(1);
}
