// Labels and values of a student's fields, for the history and for merges.
import { dateText } from '../dates.ts';
import { countryText } from '../school/country.ts';
import { canadianStatuses, choiceText, genders } from '../students/choices.ts';
import { profileParts } from '../students/profile.ts';
import { accountStates } from './flags.ts';
import { guardianWays } from './words.ts';

const fieldLabels: Record<string, string> = {
  ...Object.fromEntries(profileParts.flatMap(({ fields }) => fields.map(({ name, label }) => [name, label]))),
  transferringCredits: 'Transferring credits',
  status: 'Account',
  email: 'Email address',
  pendingEmail: 'New email address, to be confirmed',
  guardianConfirmed: 'Guardian’s confirmation',
  guardian: 'Parent or guardian',
  familyPage: 'Family page from 18 on',
  guardianStopped: 'Nothing more disclosed to',
  identityChecked: 'Identity check',
  merged: 'Merged account',
  officeEmail: 'Email from the office',
  secondFactor: 'Second factor',
  recoveryCodes: 'Recovery codes',
  officeUpload: 'Document uploaded by the office',
  documentRemoved: 'Document removed',
  documentAccepted: 'Document accepted',
  documentRejected: 'Document rejected',
  documentReopened: 'Document to be looked at again',
  documentExpired: 'Document expired',
  documentUndone: 'Decision about a document undone',
  documentWaived: 'Document not needed',
  lostFile: 'Lost document',
  archive: 'Own data',
  externalCredit: 'Credit from another school',
};

export function fieldLabel(field: string): string {
  return fieldLabels[field] ?? field;
}

/** A readable value; an em dash for none. */
export function valueText(field: string, value: string | null): string {
  if (value === null) return '—';
  switch (field) {
    case 'dateOfBirth': return dateText(value, value);
    case 'gender': return choiceText(genders, value);
    case 'canadianStatus': return choiceText(canadianStatuses, value);
    case 'country': return countryText(value);
    case 'transferringCredits': return value === 'true' ? 'Yes' : 'No';
    case 'status': return (accountStates as Record<string, { label: string }>)[value]?.label ?? value;
    case 'identityChecked': return value === 'compared' ? 'Compared' : dateText(value, value);
    case 'guardianConfirmed': return (guardianWays as Record<string, string>)[value] ?? value;
    default: return value;
  }
}
