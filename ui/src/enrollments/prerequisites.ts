// A course's prerequisite in words, held against what the student has done here. What a school before this
// one taught is not known: nothing is refused, the office judges.
import type { Course, Enrollment } from '../api-types.ts';
import { prerequisiteText } from '../courses/catalogue.ts';
import { code_characters } from './earlier.ts';

export type PrerequisiteState = 'done' | 'running' | 'requested' | 'missing';

/** Plain words, or a course among them, and where they begin. */
export type Part = { at: number } & ({ text: string } | { code: string; name: string | null; state: PrerequisiteState });

const codes = /\b[A-Z]{3}[1-4A-E][A-Z][A-Z0-9]?\b/g;

const pass_mark = 50;

export function prerequisiteParts(
  course: Pick<Course, 'prerequisite' | 'description'>,
  catalogue: readonly Pick<Course, 'code' | 'name'>[],
  enrollments: readonly Enrollment[],
): Part[] {
  const text = prerequisiteText(course);
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(codes)) {
    if (match.index > end) parts.push({ at: end, text: text.slice(end, match.index) });
    const code = match[0];
    parts.push({ at: match.index, code, name: catalogue.find((one) => one.code === code)?.name ?? null, state: stateOf(code, enrollments) });
    end = match.index + code.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) });
  return parts;
}

/** The best that became of a course. */
function stateOf(code: string, enrollments: readonly Enrollment[]): PrerequisiteState {
  const short = code.slice(0, code_characters);
  const own = enrollments.filter(({ course }) => course.code.slice(0, code_characters) === short);
  if (own.some(({ status, finalMark }) => status === 'completed' && (finalMark ?? pass_mark) >= pass_mark)) return 'done';
  if (own.some(({ status }) => status === 'active')) return 'running';
  return own.some(({ status }) => status === 'pending' || status === 'waitlisted') ? 'requested' : 'missing';
}

export const stateOfPrerequisite = {
  done: '✓ completed',
  running: '✓ you are taking it',
  requested: 'you have requested it',
  missing: 'not taken here yet',
} satisfies Record<PrerequisiteState, string>;
