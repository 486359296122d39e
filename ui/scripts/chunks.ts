// Assigns modules to style sheets and shared chunks, derived from the table of pages and the import graph.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { frames } from './frames.js';

type Names = Map<string, string>;
type Graph = (id: string) => Rolldown.ModuleInfo | null;

/** A module's chunk; null to keep it with its importer. */
export function chunkNames(root: string): Rolldown.CodeSplittingNameFunction {
  let names: Names | undefined;
  return (id, context) => (names ??= nameModules(root, (module) => context.getModuleInfo(module))).get(id) ?? null;
}

function nameModules(root: string, graph: Graph): Names {
  const reach = (starts: string[], isLate: boolean) => {
    const found = new Set(starts);
    for (const id of found) {
      const module = graph(id);
      for (const next of [...(module?.importedIds ?? []), ...(isLate ? (module?.dynamicallyImportedIds ?? []) : [])]) found.add(next);
    }
    return found;
  };
  const names: Names = new Map();
  const everywhere = reach([join(root, 'index.html')], false);
  for (const id of everywhere) {
    // Libraries change less often than pages, so their chunk stays cached across releases.
    if (!/(index\.html|main\.tsx)$/.test(id)) names.set(id, id.includes('/node_modules/') ? 'libraries' : 'site');
  }
  const table = JSON.parse(readFileSync(join(root, 'pages.json'), 'utf8')) as Record<string, Record<string, { page: string }>>;
  const pages = Object.entries(table).flatMap(([area, rows]) =>
    Object.values(rows).map(({ page }) => ({ area, needs: reach([...(frames[area] ?? []), page].map((name) => join(root, 'src', `${name}.tsx`)), true) })),
  );
  for (const id of new Set(pages.flatMap(({ needs }) => [...needs]))) {
    if (everywhere.has(id) || !/\.s?css$/.test(id)) continue;
    const areas = pages.filter(({ needs }) => needs.has(id)).map(({ area }) => area);
    const name = sheetOf(areas);
    if (name) names.set(id, name);
  }
  return names;
}

/** A page has at most three style sheets: shared, its area's, and its own. */
function sheetOf(areas: string[]): string | null {
  const [area = '', ...others] = new Set(areas);
  if (others.length > 0) return areas.includes('public') ? 'site' : 'portal';
  return area === 'public' && areas.length === 1 ? null : area;
}
