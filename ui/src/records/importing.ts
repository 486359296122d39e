// The import of students: the file goes to the server as it is, and the server judges it.
import { mutationOptions } from '@tanstack/react-query';
import { postText } from '../api.ts';
import type { components } from '../openapi.ts';
import { recordsKey } from './queries.ts';

export type Imported = components['schemas']['ImportedStudents'];

export const importStudents = mutationOptions({
  mutationKey: [...recordsKey, 'import'],
  mutationFn: ({ file, dryRun, invite }: { file: File; dryRun: boolean; invite: boolean }) =>
    postText(`/api/admin/students/import?${new URLSearchParams({ dryRun: dryRun ? '1' : '0', invite: invite ? '1' : '0' })}`, file),
});
