// Identity changes: queries, and the changes in words.
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

/** Confirms the changes up to `changedAt`, which were shown; null without changes. */
export const confirmIdentity = mutationOptions({
  mutationKey: ['students', 'confirm-identity'],
  mutationFn: ({ id, changedAt }: { id: number; changedAt: string | null }) =>
    postJson(`/api/admin/students/${id}/confirm-identity`, { changedAt }),
});

type Change = IdentityChange['changes'][number];

type Text = (value: string | null | undefined) => string;

/** Identity fields: label and readable value. */
export const identityFields = {
  fullName: { label: 'Full name', text: (value) => value || notProvided },
  dateOfBirth: { label: 'Date of birth', text: (value) => dateText(value, value || notProvided) },
  canadianStatus: { label: 'Canadian status', text: (value) => choiceText(canadianStatuses, value) },
  parentName: { label: 'Parent or guardian', text: (value) => value || notProvided },
  parentContact: { label: 'Contact of the parent or guardian', text: (value) => value || notProvided },
} satisfies Record<Change['field'], { label: string; text: Text }>;

/** A field's change from the confirmed value to the current one, merged if there were several. */
export type NetChange = { field: Change['field']; label: string; before: string; after: string; at: string; count: number };

/** Fields in the order of their first change; changes are oldest first. */
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

/** Note on several changes of a field. */
export function historyText({ before, after, count }: NetChange): string | null {
  if (before === after) return 'Changed, and changed back';
  return count > 1 ? `Changed ${count} times` : null;
}

/** A student's name, or the id if it was removed. */
export function nameOf({ id, fullName }: Pick<IdentityChange, 'id' | 'fullName'>): string {
  return fullName || `Student #${id}`;
}
