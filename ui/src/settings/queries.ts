// Queries of the site settings: draft, previews, published versions and pictures.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson, wire } from '../api.ts';
import type { AnswerOf } from '../endpoints.ts';
import type { SettingsInput } from '../api-types.ts';
import { postForm } from '../upload.ts';

const settingsKey = ['settings'];

/** Long enough to cover the prefetch. */
const fresh_ms = 2000;

export const settingsQuery = queryOptions({
  queryKey: [...settingsKey, 'draft'],
  queryFn: ({ signal }) => getJson('/api/admin/settings', signal),
  staleTime: fresh_ms,
});

export const versionsQuery = queryOptions({
  queryKey: [...settingsKey, 'versions'],
  queryFn: ({ signal }) => getJson('/api/admin/settings/versions', signal),
  staleTime: fresh_ms,
});

/** The only PUT request. */
export async function saveDraft(version: number, settings: SettingsInput) {
  const headers = { 'Content-Type': 'application/json' };
  return (await wire.request<AnswerOf<'put', '/api/admin/settings/draft'>>('/api/admin/settings/draft', { method: 'PUT', headers, body: JSON.stringify({ version, settings }) })).body;
}

export const discardDraft = (version: number) => postJson('/api/admin/settings/discard', { version });

export const publishDraft = (version: number, note: string) => postJson('/api/admin/settings/publish', { version, note: note || null });

/** Preview address of the draft or of a published version. */
export const openPreview = (id?: number) => postJson('/api/admin/settings/preview', { id: id ?? null });

export const restoreVersion = (id: number, version: number) => postJson(`/api/admin/settings/versions/${id}/restore`, { version });

type NewPicture = { file: File; signal: AbortSignal; onProgress: (sent: number) => void };

export const uploadKey = [...settingsKey, 'upload'];

export const uploadPicture = mutationOptions({
  mutationKey: uploadKey,
  mutationFn: ({ file, signal, onProgress }: NewPicture) => {
    const form = new FormData();
    form.append('picture', file);
    return postForm('/api/admin/pictures', form, { signal, onProgress });
  },
});
