// The interface holds together: which room may use which. The server's is held by `tests/layers.rs`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** From the ground up: each may use those before it. */
const order = [
  'no room',
  'school', 'courses', 'website', 'accounts', 'staff', 'audit', 'privacy', 'mail', 'documents', 'messages', 'admissions', 'enrollments', 'students',
  'records', 'classes', 'settings', 'dashboard',
  'all rooms',
];

/** What brings the rooms together. Every other file outside the rooms is for all of them, and knows none. */
const top = new Set(['boot.ts', 'main.tsx', 'portalPages.ts', 'routes.tsx', 'templates.tsx']);

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx?|s?css)$/.test(file) && !/\.test\.|^test\//.test(file));

/** The files that a file names in `import … from`, `import(…)`, `import '….css'` or `export … from`. */
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
