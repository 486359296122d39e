// Queries of students for the office, and actions on their accounts.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getRows, patchJson, postJson, putJson } from '../api.ts';
import type { EmailToManyPreview, GuardianHow, GuardianInput, StudentRecord } from '../api-types.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { countsKey, officeKey } from '../enrollments/queries.ts';
import type { EmailWords } from '../mail/writing.ts';
import type { components } from '../openapi.ts';
import { portion } from './bulk.ts';
import { type StudentsView, studentParameters } from './studentsView.ts';

type Schemas = components['schemas'];

export const studentsQuery = (view: StudentsView) =>
  queryOptions({
    queryKey: [...recordsKey, 'students', view],
    queryFn: ({ signal }) => getRows(`/api/admin/students?${studentParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

export const flagCountsQuery = queryOptions({
  queryKey: [...recordsKey, 'flags'],
  queryFn: ({ signal }) => getJson('/api/admin/students/flags', signal),
  staleTime: list_fresh_ms,
});

/** Credits from other schools; below the file's key, to be refetched with it. */
export const externalCreditsQuery = (id: number) =>
  queryOptions({
    queryKey: [...recordsKey, 'student', id, 'external-credits'],
    queryFn: ({ signal }) => getJson(`/api/admin/students/${id}/external-credits`, signal),
    staleTime: list_fresh_ms,
  });

export const createStudent = mutationOptions({
  mutationKey: [...recordsKey, 'create'],
  mutationFn: (student: Schemas['NewStudentForm']) => postJson('/api/admin/students', student),
});

export const changeStudent = mutationOptions({
  mutationKey: [...recordsKey, 'change'],
  mutationFn: ({ id, ...change }: { id: number; version: number; reason: string } & Record<string, unknown>) =>
    patchJson(`/api/admin/students/${id}`, change),
});

/** Account actions without a form, each an endpoint. */
export type AccountVerb = 'resend-verification' | 'send-password-link' | 'reset-second-factor';

export const actOnStudent = mutationOptions({
  mutationKey: [...recordsKey, 'act'],
  mutationFn: ({ id, verb }: { id: number; verb: AccountVerb }) => postJson(`/api/admin/students/${id}/${verb}`),
});

/** Writes to the guardians of students whose requests wait for them; a student's once a day. */
export const remindGuardians = (ids: number[]) => postJson('/api/admin/students/remind-guardians', { ids });

/** Closes an account with what is open. */
export const closeAccount = mutationOptions({
  mutationKey: [...recordsKey, 'close'],
  mutationFn: ({ id, ...closing }: { id: number } & Schemas['CloseForm']) => postJson(`/api/admin/students/${id}/close`, closing),
});

/** Suspends an account, or opens it again. */
export const setSuspended = mutationOptions({
  mutationKey: [...recordsKey, 'suspend'],
  mutationFn: ({ id, reason, ...rest }: { id: number; reason: string | null; message: string | null; expected: StudentRecord['status'] }) =>
    reason === null ? postJson(`/api/admin/students/${id}/reinstate`, rest) : postJson(`/api/admin/students/${id}/suspend`, { reason, ...rest }),
});

export const correctEmail = mutationOptions({
  mutationKey: [...recordsKey, 'correct-email'],
  mutationFn: ({ id, ...correction }: { id: number } & Schemas['EmailCorrection']) => postJson(`/api/admin/students/${id}/email`, correction),
});

export const confirmGuardian = mutationOptions({
  mutationKey: [...recordsKey, 'confirm-guardian'],
  mutationFn: ({ id, how, guardianId = null }: { id: number; how: GuardianHow | null; guardianId?: number | null }) => {
    const path = `/api/admin/students/${id}/guardian-confirmed` as const;
    return how ? postJson(path, { how, guardianId }) : deleteJson(path);
  },
});

export const replaceGuardiansOf = (id: number) =>
  mutationOptions({
    mutationKey: [...recordsKey, 'replace-guardians'],
    mutationFn: (guardians: GuardianInput[]) => putJson(`/api/admin/students/${id}/guardians`, guardians),
  });

/** Discloses nothing more to a guardian, for a reason, or discloses again. */
export const stopGuardian = mutationOptions({
  mutationKey: [...recordsKey, 'stop-guardian'],
  mutationFn: ({ id, guardianId, reason }: { id: number; guardianId: number; reason: string | null }) =>
    reason === null ? postJson(`/api/admin/students/${id}/guardians/${guardianId}/resume`) : postJson(`/api/admin/students/${id}/guardians/${guardianId}/stop`, { reason }),
});

export const writeToStudent = mutationOptions({
  mutationKey: [...recordsKey, 'write'],
  mutationFn: ({ id, ...email }: { id: number; subject: string; body: string }) =>
    postJson(`/api/admin/students/${id}/emails`, email),
});

/** All students of a view, for "Select all". */
export const allStudents = (view: StudentsView) => getRows(`/api/admin/students?${studentParameters(view, 'all')}`);

/** The first student's email; the copies to guardians are those of all. */
export async function previewEmail(ids: readonly number[], words: EmailWords): Promise<EmailToManyPreview> {
  const shown = await postJson('/api/admin/students/emails/preview', { ...words, ids: ids.slice(0, portion) });
  const rest = ids.slice(portion);
  const { recipients, copies } = rest.length > 0 ? await previewEmail(rest, words) : { recipients: 0, copies: 0 };
  return { ...shown, recipients: shown.recipients + recipients, copies: shown.copies + copies };
}

export const addNote = mutationOptions({
  mutationKey: [...recordsKey, 'add-note'],
  mutationFn: ({ id, body }: { id: number; body: string }) => postJson(`/api/admin/students/${id}/notes`, { body }),
});

export const changeNote = mutationOptions({
  mutationKey: [...recordsKey, 'change-note'],
  mutationFn: ({ id, ...change }: { id: number; body?: string; isPinned?: boolean }) =>
    patchJson(`/api/admin/student-notes/${id}`, change),
});

export const deleteNote = mutationOptions({
  mutationKey: [...recordsKey, 'delete-note'],
  mutationFn: (id: number) => deleteJson(`/api/admin/student-notes/${id}`),
});

/** What the closing of an account changes, beside the student. */
export const closingKeys = [recordsKey, officeKey, countsKey, ['dashboard'], ['documents'], ['courses', 'office']];
