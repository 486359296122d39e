// Queries of a student's own documents, and of all documents for the office.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getRows } from '../api.ts';
import type { DocumentType } from '../api-types.ts';
import { type ListView, list_fresh_ms, listParameters } from '../components/useListView.ts';
import { postForm } from '../upload.ts';

export const ownDocumentsQuery = queryOptions({
  queryKey: ['documents', 'own'],
  queryFn: ({ signal }) => getJson('/api/students/documents', signal),
});

export const documentUsageQuery = queryOptions({
  queryKey: ['documents', 'usage'],
  queryFn: ({ signal }) => getJson('/api/students/documents/usage', signal),
});

export const removeDocument = mutationOptions({
  mutationKey: ['documents', 'remove'],
  mutationFn: (id: number) => deleteJson(`/api/students/documents/${id}`),
});

type NewDocument = {
  /** The student, if the office uploads. */
  studentId: number | undefined;
  file: File;
  documentType: DocumentType;
  /** What another document is; empty where its type says it. */
  label: string;
  signal: AbortSignal;
  /** Called with the sent fraction, 0 to 1. */
  onProgress: (sent: number) => void;
};

export const uploadDocument = {
  mutationKey: ['documents', 'upload'],
  mutationFn: ({ studentId, file, documentType, label, signal, onProgress }: NewDocument) => {
    const form = new FormData();
    form.append('document', file);
    form.append('documentType', documentType);
    if (label) form.append('label', label);
    const path = studentId === undefined ? '/api/students/documents' : `/api/admin/students/${studentId}/documents` as const;
    return postForm(path, form, { signal, onProgress });
  },
};

export const allDocumentsQuery = (view: ListView) =>
  queryOptions({
    queryKey: ['documents', 'all', view],
    queryFn: ({ signal }) => getRows(`/api/admin/documents${listParameters(view)}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });
