// Calls for documents with lost files, lazy-loaded with their dialogs.
import { mutationOptions } from '@tanstack/react-query';
import { postJson } from '../api.ts';
import type { DocumentType } from '../api-types.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { postForm } from '../upload.ts';

export const replaceFile = mutationOptions({
  mutationKey: [...recordsKey, 'replace-file'],
  mutationFn: ({ id, file, documentType }: { id: number; file: File; documentType: DocumentType }) => {
    const form = new FormData();
    form.append('document', file);
    form.append('documentType', documentType);
    return postForm(`/api/admin/documents/${id}/file`, form, { signal: new AbortController().signal, onProgress: () => {} });
  },
});

export const writeOff = mutationOptions({
  mutationKey: [...recordsKey, 'write-off'],
  mutationFn: ({ id, reason }: { id: number; reason: string }) => postJson(`/api/admin/documents/${id}/write-off`, { reason }),
});
