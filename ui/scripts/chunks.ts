// Assigns modules to style sheets and shared chunks, derived from the table of pages and the import graph. The bundler
// alone makes a chunk for each set of modules that the same pages import: 50 requests for an office page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { doors, frames } from './frames.js';

type Graph = (id: string) => Rolldown.ModuleInfo | null;

/** A page: the modules that it imports, and those that it may import later as well. */
type Visit = { area: string; name: string; isLight: boolean; needs: Set<string>; reaches: Set<string> };

const isStyle = (id: string) => /\.s?css$/.test(id);

/** A module's chunk; null to keep it with its importer. */
export function chunkNames(root: string): Rolldown.CodeSplittingNameFunction {
  let names: ((id: string) => string | null) | undefined;
  return (id, context) => (names ??= nameModules(root, (module) => context.getModuleInfo(module)))(id);
}

function nameModules(root: string, graph: Graph): (id: string) => string | null {
  const reach = (starts: string[], isLate: boolean) => {
    const found = new Set(starts);
    for (const id of found) {
      const module = graph(id);
      for (const next of [...(module?.importedIds ?? []), ...(isLate ? (module?.dynamicallyImportedIds ?? []) : [])]) found.add(next);
    }
    return found;
  };
  const source = (name: string) => join(root, 'src', name);
  const everywhere = reach([join(root, 'index.html')], false);
  const table = JSON.parse(readFileSync(join(root, 'pages.json'), 'utf8')) as Record<string, Record<string, { page: string; budget?: string }>>;
  const visits = Object.entries(table).flatMap(([area, rows]) =>
    // A page with several addresses is one page.
    [...new Map(Object.values(rows).map((row) => [row.page, row])).values()].map(({ page, budget }): Visit => {
      const own = [...(frames[area] ?? []), page].map((name) => source(`${name}.tsx`));
      const starts = area === 'public' ? own : [...own, ...doors.map(source)];
      return { area, name: page.split('/').at(-1) ?? page, isLight: area === 'public' && !budget, needs: reach(starts, false), reaches: reach(own, true) };
    }),
  );
  const layouts = new Set(Object.values(frames).flat().map((name) => source(`${name}.tsx`)));
  const pages = new Set(Object.values(table).flatMap((rows) => Object.values(rows).map(({ page }) => source(`${page}.tsx`))));
  const parts = new Set(visits.flatMap(({ reaches }) => [...reaches].flatMap((id) => graph(id)?.dynamicallyImportedIds ?? [])));
  /** What is loaded later needs it as well: the bundler makes a chunk of each. */
  const later = reach([...parts], false);
  const isForm = (id: string) => [...reach([id], false)].some((each) => each.includes('/react-hook-form/'));

  return (id) => {
    if (id === '\0rolldown/runtime.js') return 'libraries';
    if (everywhere.has(id) && !isStyle(id)) {
      // Libraries change less often than pages, so their chunk stays cached across releases.
      return /(index\.html|main\.tsx)$/.test(id) ? null : id.includes('/node_modules/') ? 'libraries' : 'site';
    }
    if (isStyle(id) && everywhere.has(id)) return 'site';
    const users = visits.filter(({ needs }) => needs.has(id));
    // What only a part that is loaded later needs comes with it.
    if (isStyle(id)) return users.length > 0 ? sheetOf(visits.filter(({ reaches }) => reaches.has(id)).map(({ area }) => area)) : null;
    // The accounts of students and of the office have the same cards, which no other page has.
    if (users.length > 1 && users.every(({ name }) => name === 'AccountPage')) return 'account-page';
    if (pages.has(id) || (parts.has(id) && users.length !== 1)) return null;
    const [area = null, ...others] = new Set(users.map((visit) => visit.area));
    if (users.length < 2 && !layouts.has(id)) return users[0] && later.has(id) ? `${users[0].area}-${users[0].name}` : null;
    // Pages with a budget of their own do not add to the others.
    const seen = users.filter((visit) => visit.area === 'public');
    const light = seen.filter(({ isLight }) => isLight).length;
    if (light > 0) return light > 1 ? 'site' : 'list';
    if (isForm(id)) return seen.length > 0 || id.includes('/node_modules/') ? 'forms' : null;
    if (seen.length > 0) return 'parts';
    return others.length > 0 ? 'portal' : area;
  };
}

/** A page has at most three style sheets: shared, its area's, and its own. */
function sheetOf(areas: string[]): string | null {
  const [area = '', ...others] = new Set(areas);
  if (area !== 'public') return others.length > 0 ? 'portal' : area;
  return areas.length === 1 ? null : 'site';
}
