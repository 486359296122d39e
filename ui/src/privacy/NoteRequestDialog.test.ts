// Reading the student field of a recorded request.
import { expect, it } from 'vitest';
import { namedStudent } from './NoteRequestDialog.tsx';

it.each(['2026-0034', '2026–0034', '2026 - 0034'])('takes a student number as people have it: %s', (text) => {
  expect(namedStudent(text)).toEqual({ number: '2026-0034' });
});

it.each(['34', '/admin/students/34', 'https://school.example/admin/students/34?tab=notes', 'https://school.example/admin/students/34?page=2'])(
  'takes the number of the account, alone or in the address of its page: %s',
  (text) => expect(namedStudent(text)).toEqual({ id: 34 }),
);

it.each(['', 'Jane Doe', '0034', '2026-34', '-34'])('takes nothing else: "%s"', (text) => {
  expect(namedStudent(text)).toBeNull();
});
