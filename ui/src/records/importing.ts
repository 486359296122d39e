// The import of students: the file goes to the server as it is, and the server judges it.
import { mutationOptions } from '@tanstack/react-query';
import { ApiError, getJson, postText } from '../api.ts';
import type { components } from '../openapi.ts';
import { recordsKey } from './queries.ts';

export type Imported = components['schemas']['ImportedStudents'];

export const importStudents = mutationOptions({
  mutationKey: [...recordsKey, 'import'],
  mutationFn: async ({ file, dryRun, invite }: { file: File; dryRun: boolean; invite: boolean }) => {
    await refuseChanged(file);
    // Asked before the file is on its way: the server refuses without reading it.
    await getJson('/api/user/proof');
    return postText(`/api/admin/students/import?${new URLSearchParams({ dryRun: dryRun ? '1' : '0', invite: invite ? '1' : '0' })}`, file);
  },
});

type ReadableFile = { name: string; slice: (start: number, end: number) => Pick<Blob, 'arrayBuffer'> };

/** A file that was changed after it was chosen can be neither read nor sent; sent, it would look like a server that is gone. */
export async function refuseChanged(file: ReadableFile): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(0, `“${file.name}” has changed since you chose it, or is gone. Please choose it again.`);
  }
}
