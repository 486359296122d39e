// What students are told after a change of a section, with its undo.
import type { ChangedSection, ChangedTerm, OfficeSection, Term } from '../api-types.ts';
import type { Decided } from '../enrollments/decisionResults.ts';
import { hoursText } from '../meetings.ts';
import { nameOf, studentsText } from './words.ts';

/** A change that students are told of, and how to undo it. */
export type NotifiedChange = { words: string; decided: Decided };

export type SectionAct = 'edit' | 'cancel' | 'class' | 'delete';

export type SectionDialogProps = {
  section: OfficeSection;
  term: Term;
  onChanged: (saved: OfficeSection, told: NotifiedChange | null) => void;
  onClose: () => void;
};

/** Null if no student is told, or at once. */
export function toldOf(before: OfficeSection, saved: ChangedSection, what = changeOf(before, saved)): NotifiedChange | null {
  const { undo, decidedAt, told } = saved;
  if (!undo || !decidedAt) return null;
  return {
    words: `${nameOf(saved)}: ${what}. ${studentsText(told)} ${told === 1 ? 'gets' : 'get'} an email in a minute.`,
    decided: { status: saved.status as never, words: null, undo: { ...undo, decidedAt } },
  };
}

function changeOf(before: OfficeSection, saved: OfficeSection): string {
  const [was, is] = [hoursText(before.meetings), hoursText(saved.meetings)];
  return was === is ? 'new dates' : `${was || 'no hours'} is now ${is || 'at the student’s own pace'}`;
}

/** A term that moved with its sections, and how to undo it. */
export type MovedTerm = { told: number; decided: Decided };

/** Null if no section with students moved, or its emails were sent at once. */
export function movedOf(saved: Term | ChangedTerm): MovedTerm | null {
  if (!('told' in saved) || !saved.undo || !saved.decidedAt) return null;
  return { told: saved.told, decided: { status: 'active', words: null, undo: { ...saved.undo, decidedAt: saved.decidedAt } } };
}
