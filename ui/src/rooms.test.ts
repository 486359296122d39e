// Dependencies between the interface's rooms; the server's are tested in `tests/layers.rs`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Rooms in dependency order: each may use those before it. */
const order = [
  'no room',
  'school', 'courses', 'website', 'accounts', 'staff', 'audit', 'mail', 'documents', 'messages', 'enrollments', 'terms', 'money', 'admissions', 'family', 'privacy', 'students',
  'records', 'classes', 'settings', 'dashboard',
  'all rooms',
];

/** Files that join the rooms. All other files outside the rooms may use none. */
const top = new Set(['boot.ts', 'main.tsx', 'portalPages.ts', 'routes.tsx', 'templates.tsx']);

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx?|s?css)$/.test(file) && !/\.test\.|^test\//.test(file));

/** Files imported by `import … from`, `import(…)`, `import '….css'` or `export … from`. */
function used(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\b(?:from|import\(?)\s*'(\.[^'?]+)/g)].map(([, path = '']) => relative(root, join(root, file, '..', path)));
}

function roomOf(file: string): string {
  if (top.has(file)) return 'all rooms';
  const [, folder = 'components'] = /^(\w[\w-]*)\//.exec(file) ?? [];
  return ['components', 'styles'].includes(folder) ? 'no room' : folder;
}

test('every room has its place', () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(order.toSorted());
});

test('a room uses those before it alone, and the components use no room', () => {
  const place = (file: string) => order.indexOf(roomOf(file));
  const upwards = files.flatMap((file) => used(file).filter((other) => place(other) > place(file)).map((other) => `${file} uses ${other}`));
  expect(upwards).toEqual([]);
});

test('what a file uses is found', () => {
  expect(used('routes.tsx')).toEqual(expect.arrayContaining(['accounts/guards.ts', 'students/StudentLayout.tsx']));
  expect(used('enrollments/CourseProgress.tsx')).toEqual(['components/Progress.css']);
});
