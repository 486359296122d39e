// Rules of the mark sheet: pasting, validation and what is sent.
import type { ClassMember } from '../api-types.ts';
import { dateText } from '../dates.ts';
import type { components } from '../openapi.ts';

export const columns = ['midterm', 'final'] as const;
export type MarkColumn = (typeof columns)[number];

/** Input for one student; untouched fields are absent. */
export type MarkInput = Partial<Record<MarkColumn | 'reason', string>>;

/** By enrollment id. */
export type MarkInputs = Readonly<Record<number, MarkInput>>;

export type MarkRow = components['schemas']['MarkRow'];

const saved = (member: ClassMember, column: MarkColumn) => String((column === 'midterm' ? member.midtermMark : member.finalMark) ?? '');

export function shownMark(member: ClassMember, typed: MarkInput | undefined, column: MarkColumn): string {
  return typed?.[column] ?? saved(member, column);
}

function isChanged(member: ClassMember, typed: MarkInput | undefined, column: MarkColumn): boolean {
  return shownMark(member, typed, column).trim() !== saved(member, column);
}

/** Changing a final mark needs a reason, which the student sees. */
export function isCorrection(member: ClassMember, typed: MarkInput | undefined): boolean {
  return member.finalMark !== null && isChanged(member, typed, 'final');
}

/** The final marks entered before the course's last day, in words; null if there are none. */
export function earlyWords(members: readonly ClassMember[], sheet: MarkInputs, today: string): string | null {
  const typed = members.filter((member) => member.finalMark === null && isChanged(member, sheet[member.enrollmentId], 'final'));
  const ends = typed.map(({ endDate }) => endDate).filter((end) => today < end);
  if (ends.length === 0) return null;
  const last = ends.reduce((one, other) => (one > other ? one : other));
  const until = `until ${dateText(last, '')}${new Set(ends).size > 1 ? ' at the latest' : ''}`;
  return `${ends.length} of ${typed.length} ${typed.length === 1 ? 'course' : 'courses'} ${ends.length === 1 ? 'runs' : 'run'} ${until}`;
}

export function markProblem(member: ClassMember, typed: MarkInput | undefined): string | null {
  for (const column of columns) {
    const text = shownMark(member, typed, column).trim();
    if (text !== '' && !(/^\d{1,3}$/.test(text) && Number(text) <= 100)) return 'A mark is a whole number from 0 to 100.';
  }
  if (!isCorrection(member, typed)) return null;
  if (shownMark(member, typed, 'final').trim() === '') return 'A final mark cannot be removed here. Reopen the course instead.';
  return (typed?.reason?.trim().length ?? 0) >= 10 ? null : 'Please say in at least 10 characters why the mark is corrected.';
}

/** Rows with changes. */
export function changedRows(members: readonly ClassMember[], sheet: MarkInputs): ClassMember[] {
  return members.filter((member) => columns.some((column) => isChanged(member, sheet[member.enrollmentId], column)));
}

/** Input left after these rows are saved: only what was typed after `sent`. */
export function withoutSaved(sheet: MarkInputs, sent: MarkInputs, savedIds: ReadonlySet<number>): MarkInputs {
  const rows = Object.entries(sheet).map(([id, typed]) => {
    const before = sent[Number(id)];
    const isNew = ([name, text]: [string, string | undefined]) => !savedIds.has(Number(id)) || text !== before?.[name as keyof MarkInput];
    return [id, Object.fromEntries(Object.entries(typed).filter(isNew))] as const;
  });
  return Object.fromEntries(rows.filter(([, typed]) => Object.keys(typed).length > 0));
}

/** Blank means no mark. */
const read = (text: string) => (text.trim() === '' ? null : Number(text));

export function rowToSend(member: ClassMember, typed: MarkInput | undefined): MarkRow {
  return {
    enrollmentId: member.enrollmentId,
    version: member.version,
    ...(isChanged(member, typed, 'midterm') && { midterm: read(shownMark(member, typed, 'midterm')) }),
    ...(isChanged(member, typed, 'final') && { final: read(shownMark(member, typed, 'final')) }),
    ...(isCorrection(member, typed) && { reason: typed?.reason?.trim() }),
  };
}

/**
 * Fills cells from pasted spreadsheet columns. Null for
 * a single value, which the field handles. Percent signs and zero decimals are dropped.
 */
export function parsePaste(sheet: MarkInputs, members: readonly ClassMember[], from: { row: number; column: MarkColumn }, text: string): MarkInputs | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n').map((line) => line.split('\t'));
  if (lines.length === 1 && lines[0]?.length === 1) return null;
  const first = columns.indexOf(from.column);
  const next: Record<number, MarkInput> = { ...sheet };
  for (const [down, cells] of lines.entries()) {
    const member = members[from.row + down];
    if (!member) break;
    for (const [beside, cell] of cells.entries()) {
      const column = columns[first + beside];
      const isFixed = column === 'midterm' && member.status === 'completed';
      if (column && !isFixed) next[member.enrollmentId] = { ...next[member.enrollmentId], [column]: cell.trim().replace(/\s*%$/, '').replace(/[.,]0+$/, '') };
    }
  }
  return next;
}
