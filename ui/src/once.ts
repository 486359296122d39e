// A call that is carried out once, however often it is sent. Apart from api.ts, as few pages need it.
import { wire } from './api.ts';
import type { Address, AnswerOf, BodyOf } from './endpoints.ts';

/** Sends a body under a key: sent again under the same, the server answers as before. */
export async function postOnce<P extends string>(key: string, path: Address<'post', P>, ...[body]: BodyOf<'post', P>): Promise<AnswerOf<'post', P>> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  return (await wire.request<AnswerOf<'post', P>>(path, { method: 'POST', headers, body: JSON.stringify(body) })).body;
}

/** A key for one opening of a form. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
