import { describe, expect, it } from 'vitest';
import type { MissingItem } from '../api-types.ts';
import { todoItems } from './missingItems.ts';

const student = { fullName: 'Amara', phoneNumber: '416', address: '1 Lane', dateOfBirth: '2009-03-01', parentName: null };
const plain = (kind: MissingItem['kind']): MissingItem => ({ kind, documentType: null, label: kind, isWithOffice: false });
const document = (documentType: MissingItem['documentType'], isWithOffice = false): MissingItem => ({ kind: 'document', documentType, label: documentType ?? '', isWithOffice });

describe('what is still needed', () => {
  it('is nothing where nothing is, or where the office has it', () => {
    expect(todoItems([], student)).toEqual([]);
    expect(todoItems([document('transcript', true)], student)).toEqual([]);
  });

  it('is a profile, whose missing parts are named', () => {
    const [ask] = todoItems([plain('profile')], { ...student, address: null, dateOfBirth: null });
    expect(ask).toMatchObject({ what: 'Your profile', why: 'The office needs your date of birth and address.', by: 'profile' });
  });

  it('is a guardian to be named, or to be asked by the office', () => {
    const ask = (known: { parentName?: string; dateOfBirth?: null }) => todoItems([plain('guardian_confirmation')], { ...student, ...known })[0];
    expect(ask({})).toMatchObject({ button: 'Add a Guardian', why: 'You are under 18: the office needs a name and how to reach them.' });
    expect(ask({ dateOfBirth: null })?.why).toContain('until we know that you are 18');
    expect(ask({ parentName: 'Chidi' })).toMatchObject({ button: 'Add an Email Address', why: 'The office asks Chidi to confirm. With an email address they get a link instead.' });
    const named = [{ name: 'Chidi', email: 'chidi@mail.example', getsMail: true, stoppedAt: null }, { name: 'Ngozi', email: null, getsMail: true, stoppedAt: null }];
    const [mailed] = todoItems([plain('guardian_confirmation')], student, named);
    expect(mailed?.why).toBe('With each request we email a link to Chidi, who can confirm with it.');
  });

  it('is a document that is not there, or does not count, for the reason that the server gives', () => {
    const rejected = { ...document('transcript'), label: 'Report card', reason: 'It cannot be read. Page 2 is black.' };
    const wanted = [document('proof_of_address'), rejected, document('government_id', true)];
    expect(todoItems(wanted, student).map(({ what, why, button }) => [what, why, button])).toEqual([
      ['proof_of_address', 'The office needs it to review your enrollment.', 'Upload proof_of_address'],
      ['Report card', 'It cannot be read. Page 2 is black.', 'Upload a New One'],
    ]);
  });
});
