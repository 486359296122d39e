import { expect, it } from 'vitest';
import { admissionItems } from './deposit.ts';
import type { RequestFile } from './wire.ts';

it('has the admission as one item with what is due', () => {
  const file = { admission: { id: 7, requestId: 1, status: 'active', feeDue: 1250.1, feePaid: 0.2 } } as Pick<RequestFile, 'admission'>;
  expect(admissionItems(file)).toMatchObject([{ admissionId: 7, enrollmentId: null, due: 1249.9 }]);
});
