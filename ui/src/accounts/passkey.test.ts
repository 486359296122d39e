import { expect, test } from 'vitest';
import { bytesOf, textOf } from './passkey.ts';

test('bytes come back as they were, without padding and in the alphabet of addresses', () => {
  for (const [bytes, text] of [[[], ''], [[0], 'AA'], [[251, 255, 191], '-_-_'], [[1, 2, 3, 4], 'AQIDBA']] as const) {
    expect(textOf(Uint8Array.from(bytes).buffer)).toBe(text);
    expect([...bytesOf(text)]).toEqual([...bytes]);
  }
});
