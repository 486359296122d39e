import { expect, it } from 'vitest';
import { admissionItems, depositOf } from './deposit.ts';
import type { RequestFile } from './wire.ts';

const file = (deposit: number | null, feeDue: number, feePaid: number) =>
  ({ offer: { deposit }, admission: { id: 7, requestId: 1, status: 'active', feeDue, feePaid } }) as unknown as Pick<RequestFile, 'offer' | 'admission'>;

it('counts what was paid toward the deposit first', () => {
  expect(depositOf(file(250.1, 1250.5, 0))).toEqual({ received: 0, left: 250.1 });
  expect(depositOf(file(250, 1250, 100.1))).toEqual({ received: 100.1, left: 149.9 });
  expect(depositOf(file(250, 1250, 900))).toEqual({ received: 250, left: 0 });
  expect(depositOf(file(null, 1250, 0))).toBeNull();
});

it('asks for no deposit of a fee that was taken back', () => {
  expect(depositOf(file(250, 0, 0))).toEqual({ received: 0, left: 0 });
});

it('has the admission as one item with what is due', () => {
  expect(admissionItems(file(250, 1250.1, 0.2))).toMatchObject([{ admissionId: 7, enrollmentId: null, due: 1249.9 }]);
});
