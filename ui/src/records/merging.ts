// Merging two accounts of one student: which fields may differ, and which value is kept.
import { mutationOptions } from '@tanstack/react-query';
import { postJson } from '../api.ts';
import type { KeptFrom } from '../api-types.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { profileFields, type ProfileName } from '../students/profile.ts';

export type MergeField = Exclude<ProfileName, 'email' | 'currentPassword' | 'transferringCredits'>;

export const mergeFields = profileFields.filter((name): name is MergeField => !['email', 'currentPassword', 'transferringCredits'].includes(name));

/** Which account's value of a field is kept; by default this account's, or the other's if this one has none. */
export type MergeChoices = Partial<Record<MergeField, KeptFrom>>;

export const mergeStudents = mutationOptions({
  mutationKey: [...recordsKey, 'merge'],
  mutationFn: ({ id, ...merge }: { id: number; otherId: number; keep: MergeChoices }) => postJson(`/api/admin/students/${id}/merge`, merge),
});
