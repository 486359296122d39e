import { expect, it } from 'vitest';
import { refuseChanged } from './importing.ts';

/** A readable file: jsdom's blobs are not. */
const file = (read: () => Promise<ArrayBuffer>) => ({ name: 'students.csv', slice: () => ({ arrayBuffer: read }) });

it('says of a file that was changed after it was chosen that it has to be chosen again', async () => {
  const gone = file(() => Promise.reject(new DOMException('', 'NotReadableError')));
  await expect(refuseChanged(gone)).rejects.toMatchObject({
    detail: '“students.csv” has been changed or deleted since you chose it. Please choose it again.',
  });
  await expect(refuseChanged(file(() => Promise.resolve(new ArrayBuffer(1))))).resolves.toBeUndefined();
});
