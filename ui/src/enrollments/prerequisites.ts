// Prerequisite checks in words.
import type { Course, PrerequisiteCheck, PrerequisiteState } from '../api-types.ts';

export const prerequisiteStates = {
  here: 'here',
  elsewhere: 'elsewhere',
  in_progress: 'in progress',
  nothing: 'nothing',
  check_by_hand: 'check by hand',
} satisfies Record<PrerequisiteState, string>;

/** Whether the office should check before approving. */
export const isOpenQuestion = ({ state }: PrerequisiteCheck) => state === 'nothing' || state === 'check_by_hand';

/** "MCR3U: in progress (MCR3U, taken here until January 31, 2027)" */
export function prerequisiteWords({ text, state, reason }: PrerequisiteCheck): string {
  const asked = state === 'check_by_hand' ? `“${text}”` : text;
  return `${asked}: ${prerequisiteStates[state]}${reason ? ` (${reason})` : ''}`;
}

/** The short form; null for a sentence. */
export function shortPrerequisite({ text, state }: PrerequisiteCheck): string {
  return state === 'check_by_hand' ? prerequisiteStates[state] : `${text}: ${prerequisiteStates[state]}`;
}

/** The student's version: "✓ ENG3U, completed here with 78". */
export function ownPrerequisite(check: PrerequisiteCheck): string {
  return `${isOpenQuestion(check) ? '' : '✓ '}${check.reason ?? 'the office checks it'}`;
}

const codes = /\b[A-Z]{3}[1-4A-E][A-Z][A-Z0-9]?\b/g;

/** With the names of courses that are offered: "Functions (MCR3U)". */
export function namedPrerequisite(text: string, catalogue: readonly Pick<Course, 'code' | 'name'>[]): string {
  return text.replaceAll(codes, (code) => {
    const course = catalogue.find((one) => one.code === code);
    return course ? `${course.name} (${code})` : code;
  });
}
