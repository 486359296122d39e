// Closed sets match the server's: drift does not compile.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stateTones as requestTones } from './admissions/requests.ts';
import type { EnrollmentStatus } from './api-types.ts';
import { optionsOf, readWord, wordsOf } from './closedSets.ts';
import { statusTones } from './components/StatusBadge.tsx';
import { letters } from './courses/courseTypes.ts';
import { grades } from './courses/grades.ts';
import { documentReviews, documentTypes } from './documents/types.ts';
import { orderOfStatus } from './enrollments/enrollmentOrder.ts';
import { prerequisiteStates } from './enrollments/prerequisites.ts';
import { states as emailStates } from './mail/emails.ts';
import { stateTones as messageTones } from './messages/message.ts';
import { subjectLabels } from './messages/schema.ts';
import { invoiceTones } from './money/payments/invoiceStates.tsx';
import { identityFields } from './records/identityChange.ts';
import { canadianStatusNames, genderNames, provinceNames } from './students/choices.ts';

const { schemas } = (JSON.parse(readFileSync('openapi.json', 'utf8')) as { components: { schemas: Record<string, { enum: unknown[] }> } }).components;

const labels = { one: 'The first', two: 'The second' };

it('reads words, options and addresses off a table', () => {
  expect(wordsOf(labels)).toEqual(['one', 'two']);
  expect(optionsOf(labels)).toEqual([{ value: 'one', label: 'The first' }, { value: 'two', label: 'The second' }]);
  expect(['two', 'Two', 'toString', '', null].map((text) => readWord(labels, text))).toEqual(['two', '', '', '', '']);
});

it('does not compile with a word too few or too many', () => {
  const right = { pending: 0, active: 0, waitlisted: 0, declined: 0, withdrawn: 0, completed: 0, cancelled: 0 };
  right satisfies Record<EnrollmentStatus, number>;
  const { completed: _, ...missing } = right;
  // @ts-expect-error -- completed is missing
  missing satisfies Record<EnrollmentStatus, number>;
  // @ts-expect-error -- no enrollment is suspended
  ({ ...right, suspended: 0 }) satisfies Record<EnrollmentStatus, number>;
  expect(wordsOf<EnrollmentStatus>(right)).toHaveLength(7);
});

it('knows every grade of the server', () => {
  expect(grades).toEqual(schemas.Grade?.enum);
});

it.each([
  ['AdmissionRequestStatus', requestTones],
  ['CanadianStatus', canadianStatusNames],
  ['ContactSubject', subjectLabels],
  ['CourseType', letters],
  ['DocumentStatus', documentReviews],
  ['DocumentType', documentTypes],
  ['EmailStatus', emailStates],
  ['EnrollmentStatus', orderOfStatus],
  ['EnrollmentStatus', statusTones],
  ['Gender', genderNames],
  ['IdentityField', identityFields],
  ['InvoiceState', invoiceTones],
  ['MessageStatus', messageTones],
  ['PrerequisiteState', prerequisiteStates],
  ['Province', provinceNames],
])('knows every %s of the server, and no other', (name, table) => {
  expect(Object.keys(table).toSorted()).toEqual(schemas[name]?.enum.toSorted());
});
