// Spreadsheet imports: the file is sent unchanged and validated by the server.
import { ApiError, getJson } from '../api.ts';
import type { components } from '../openapi.ts';

export type Imported = components['schemas']['Imported'];

/** The column of each heading that none has by itself; empty for those to leave out. */
export type ColumnChoice = Readonly<Record<string, string>>;

/** The import's source: a file, or the built-in sample. */
export type Source = File | 'sample';

/** The body of an import. The identity is confirmed before it is sent: the server refuses without reading it. */
export async function bodyOf(source: Source): Promise<File | ''> {
  if (source !== 'sample') await refuseChanged(source);
  await getJson('/api/user/proof');
  return source === 'sample' ? '' : source;
}

type ReadableFile = { name: string; slice: (start: number, end: number) => Pick<Blob, 'arrayBuffer'> };

/** A file that was changed after it was chosen cannot be sent: it would look like a network failure. */
export async function refuseChanged(file: ReadableFile): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(0, `“${file.name}” has been changed or deleted since you chose it. Please choose it again.`);
  }
}
