import { expect, test } from 'vitest';
import { ApiError } from '../api.ts';
import { askIdentity, settleIdentity } from './askIdentity.ts';

const unproven = () => new ApiError(403, '{"message":"Please confirm that it is you, then try again.","reason":"step_up"}');

test('one answer serves all waiting requests, and the next request asks again', async () => {
  const waiting = [askIdentity(unproven()), askIdentity(unproven())];
  settleIdentity(true);
  expect(await Promise.all(waiting)).toEqual([true, true]);
  const next = askIdentity(unproven());
  settleIdentity(false);
  expect(await next).toBe(false);
});

test('other refusals ask nothing', async () => {
  const forbidden = new ApiError(403, '{"message":"Your role does not allow this."}');
  for (const refusal of [forbidden, new ApiError(0, 'offline'), new Error('aborted')]) {
    // Sequential: each would leave a question open.
    // oxlint-disable-next-line no-await-in-loop
    expect(await askIdentity(refusal)).toBe(false);
  }
});
