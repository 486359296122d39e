// Terms and their sections in the office, and the calls that change them.
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, patchJson, postJson } from '../api.ts';
import type { OfficeSection, SectionInput, Term, TermInput } from '../api-types.ts';
import { list_fresh_ms } from '../components/useListView.ts';

export const termsQuery = queryOptions({
  queryKey: ['terms'],
  queryFn: ({ signal }) => getJson('/api/admin/terms', signal),
  staleTime: list_fresh_ms,
});

export const sectionsKey = ['sections'] as const;

export const sectionsQuery = (termId: number) => queryOptions({
  queryKey: [...sectionsKey, termId],
  queryFn: ({ signal }) => getJson(`/api/admin/sections?term=${termId}`, signal),
  staleTime: list_fresh_ms,
});

export const addTerm = (input: TermInput) => postJson('/api/admin/terms', input);

/** Changes the given fields of a term. */
export const changeTerm = ({ id, version }: Pick<Term, 'id' | 'version'>, input: TermInput) => patchJson(`/api/admin/terms/${id}`, { ...input, version });

/** What a change of a term's days would move along; nothing is changed. */
export const termPreviewQuery = ({ id, version }: Pick<Term, 'id' | 'version'>, input: TermInput) =>
  queryOptions({
    queryKey: ['terms', id, 'preview', version, input],
    queryFn: () => postJson(`/api/admin/terms/${id}/preview`, { ...input, version }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** Which students a change of a section's days would concern; nothing is changed. */
export const sectionPreviewQuery = ({ id, version }: Pick<OfficeSection, 'id' | 'version'>, input: SectionInput) =>
  queryOptions({
    queryKey: [...sectionsKey, 'preview', id, version, input],
    queryFn: () => postJson(`/api/admin/sections/${id}/preview`, { ...input, version }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export const copyTerm = (id: number, copy: { name: string; startsOn: string; again: boolean }) => postJson(`/api/admin/terms/${id}/copy`, copy);

export const addSection = (input: SectionInput) => postJson('/api/admin/sections', input);

/** Changes the given fields of a section. Its students are told of new dates and hours, unless that is undone. */
export const changeSection = ({ id, version }: Pick<OfficeSection, 'id' | 'version'>, input: SectionInput) => patchJson(`/api/admin/sections/${id}`, { ...input, version });

export const cancelSection = ({ id, version }: Pick<OfficeSection, 'id' | 'version'>, reason: string) => postJson(`/api/admin/sections/${id}/cancel`, { reason, version });

export const cancelClass = (id: number, what: { date: string; reason: string }) => postJson(`/api/admin/sections/${id}/classes/cancel`, what);

export const restoreClass = (id: number, { date, startsAt }: { date: string; startsAt: string | null }) => postJson(`/api/admin/sections/${id}/classes/restore`, { date, startsAt });

export const openPlanned = (termId: number) => postJson(`/api/admin/terms/${termId}/open-sections`);

export const deleteSection = (id: number) => deleteJson(`/api/admin/sections/${id}`);

/** Refetches what shows terms and sections: lists, courses and enrollments. */
export function refreshSections(client: QueryClient) {
  for (const queryKey of [sectionsKey, ['terms'], ['courses'], ['course'], ['enrollments']]) void client.invalidateQueries({ queryKey });
}

/** Shows a saved section before the list is refetched. */
export function showSaved(client: QueryClient, saved: OfficeSection) {
  client.setQueriesData<OfficeSection[]>({ queryKey: sectionsKey }, (rows) => rows?.map((row) => (row.id === saved.id ? { ...row, ...saved } : row)));
}
