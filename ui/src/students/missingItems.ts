// What the school still needs from the student, in the overview's words.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { DocumentType, Guardian, Student, MissingItem } from '../api-types.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { listText, missingParts } from './profile.ts';

/** Refetched whenever it is shown: the office may have decided in the meantime. */
export const missingItemsQuery = queryOptions({
  queryKey: ['students', 'wanted'],
  queryFn: ({ signal }) => getJson('/api/students/wanted', signal),
  staleTime: list_fresh_ms,
});

/** `button` is null if it is the office's turn. */
export type TodoItem = { what: string; why: string; button: string | null; by: 'profile' | 'guardians' | DocumentType };

type ProfileFacts = Pick<Student, 'fullName' | 'phoneNumber' | 'address' | 'dateOfBirth' | 'parentName'>;
type GuardianFacts = Pick<Guardian, 'name' | 'email' | 'getsMail' | 'stoppedAt'>;

/** What the student can do something about, or is told who does. */
export function todoItems(wanted: readonly MissingItem[], student: ProfileFacts, guardians: readonly GuardianFacts[] = []): TodoItem[] {
  return wanted.filter(({ isWithOffice }) => !isWithOffice).flatMap(({ kind, documentType, label, reason }): TodoItem[] => {
    if (kind === 'profile') {
      return [{ what: 'Your profile', why: `The office needs your ${missingParts(student)}.`, button: 'Complete Your Profile', by: 'profile' }];
    }
    if (kind === 'guardian_confirmation') return [guardian(student, guardians)];
    if (!documentType) return [];
    const [why, button] = reason ? [reason, 'Upload a New One'] : ['The office needs it to review your enrollment.', `Upload ${label}`];
    return [{ what: label, why, button, by: documentType }];
  });
}

function guardian({ dateOfBirth, parentName }: ProfileFacts, guardians: readonly GuardianFacts[]): TodoItem {
  const what = 'A parent or guardian';
  const emailed = guardians.filter(({ email, getsMail, stoppedAt }) => email && getsMail && stoppedAt === null).map(({ name }) => name);
  if (emailed.length > 0) {
    return { what, why: `With each request we email a link to ${listText(emailed)}, who can confirm with it.`, button: 'Edit Guardians', by: 'guardians' };
  }
  if (parentName) {
    return { what, why: `The office asks ${parentName} to confirm. With an email address they get a link instead.`, button: 'Add an Email Address', by: 'guardians' };
  }
  const why = dateOfBirth ? 'You are under 18: the office needs a name and how to reach them.' : 'Needed until we know that you are 18.';
  return { what, why, button: 'Add a Guardian', by: 'guardians' };
}
