import { expect, it } from 'vitest';
import { runInBatches } from './bulk.ts';

const answers = (ids: number[]) => ({ results: ids.map((id) => (id % 100 === 0 ? { id, ok: false, status: 409, message: 'No.' } : { id, ok: true })) });

it('sends portions of 200 and keeps what failed, a portion that got lost among it', async () => {
  const sent: number[] = [];
  const send = async (ids: number[]) => {
    sent.push(ids.length);
    if (sent.length === 3) throw new TypeError('offline');
    return answers(ids);
  };
  const ids = Array.from({ length: 450 }, (_, index) => index + 1);
  const { done, failures } = await runInBatches(send, ids, () => 'Not sent.');
  expect(sent).toEqual([200, 200, 50]);
  expect(done).toHaveLength(396);
  expect(failures).toHaveLength(54);
  expect(failures[0]).toEqual({ id: 100, message: 'No.' });
  expect(failures.at(-1)).toEqual({ id: 450, message: 'Not sent.' });
});
