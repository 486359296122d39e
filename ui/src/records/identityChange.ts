// Who changed what identifies them after the office had checked or approved them, or the guardian after a
// confirmation; and what the office reads of it.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getRows, postJson } from '../api.ts';
import type { IdentityChange } from '../api-types.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { dateText } from '../dates.ts';
import { canadianStatuses, choiceText, notProvided } from '../students/choices.ts';

export const identityChangesKey = ['students', 'identity-changes'] as const;

export const identityChangesQuery = queryOptions({
  queryKey: identityChangesKey,
  queryFn: ({ signal }) => getRows('/api/admin/students/identity-changes', signal),
  staleTime: list_fresh_ms,
  // Never show cached rows that would move a moment later.
  gcTime: 0,
  refetchOnReconnect: false,
});

/** Confirms what was seen; what changed after `changedAt` was not. Null where nothing changed. */
export const confirmIdentity = mutationOptions({
  mutationKey: ['students', 'confirm-identity'],
  mutationFn: ({ id, changedAt }: { id: number; changedAt: string | null }) =>
    postJson(`/api/admin/students/${id}/confirm-identity`, { changedAt }),
});

type Change = IdentityChange['changes'][number];

type Text = (value: string | null | undefined) => string;

/** What identifies a student: its label, and a value of it as people read it. */
export const identityFields = {
  fullName: { label: 'Full name', text: (value) => value || notProvided },
  dateOfBirth: { label: 'Date of birth', text: (value) => dateText(value, value || notProvided) },
  canadianStatus: { label: 'Canadian status', text: (value) => choiceText(canadianStatuses, value) },
  parentName: { label: 'Parent or guardian', text: (value) => value || notProvided },
  parentContact: { label: 'Contact of the parent or guardian', text: (value) => value || notProvided },
} satisfies Record<Change['field'], { label: string; text: Text }>;

/** A field from what the office confirmed to what it is now, however often it changed in between. */
export type NetChange = { field: Change['field']; label: string; before: string; after: string; at: string; count: number };

/** In the order in which the fields first changed; the changes come oldest first. */
export function netChanges(changes: readonly Change[]): NetChange[] {
  const fields = [...new Set(changes.map(({ field }) => field))];
  return fields.flatMap((field) => {
    const own = changes.filter((change) => change.field === field);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) return [];
    const { label, text } = identityFields[field];
    return [{ field, label, before: text(first.before), after: text(last.after), at: last.at, count: own.length }];
  });
}

/** Where more than the two ends happened. */
export function historyText({ before, after, count }: NetChange): string | null {
  if (before === after) return 'Changed, and changed back';
  return count > 1 ? `Changed ${count} times` : null;
}

/** How a student is called who may have removed the name. */
export function nameOf({ id, fullName }: Pick<IdentityChange, 'id' | 'fullName'>): string {
  return fullName || `Student #${id}`;
}
