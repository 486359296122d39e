// The import of a sheet: the file goes to the server as it is, and the server judges it.
import { ApiError, getJson } from '../api.ts';
import type { components } from '../openapi.ts';

export type Imported = components['schemas']['Imported'];

/** What is imported: a file, or the sample that comes with the program. */
export type Source = File | 'sample';

/** The body of an import. The proof is asked for before it is on its way: the server refuses without reading it. */
export async function bodyOf(source: Source): Promise<File | ''> {
  if (source !== 'sample') await refuseChanged(source);
  await getJson('/api/user/proof');
  return source === 'sample' ? '' : source;
}

type ReadableFile = { name: string; slice: (start: number, end: number) => Pick<Blob, 'arrayBuffer'> };

/** A file that was changed after it was chosen can be neither read nor sent; sent, it would look like a server that is gone. */
export async function refuseChanged(file: ReadableFile): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(0, `“${file.name}” has been changed or deleted since you chose it. Please choose it again.`);
  }
}
