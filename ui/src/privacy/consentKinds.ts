// Words for consents.
import type { Consent, ConsentKind } from '../api-types.ts';
import { dateText } from '../dates.ts';

export const consentKinds = {
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  enrollment: 'Terms, for a course',
  refunds: 'Refund terms',
  how_to_pay: 'How to pay',
  offer: 'Agreement of an offer',
  marketing: 'News by email',
} satisfies Record<ConsentKind, string>;

/** A version is shown as the start of its hash; those of an earlier version of the program are dates. */
export const versionText = (version: string) =>
  /^[0-9a-f]{64}$/.test(version) ? `version ${version.slice(0, 8)}` : `version of ${dateText(version, version)}`;

/** The state of a consent; one that no screen had asked for was never an agreement. */
export const saidText = ({ isGiven, wasAsked }: Pick<Consent, 'isGiven' | 'wasAsked'>) =>
  !wasAsked ? 'Not asked; recorded by an earlier version' : isGiven ? 'Agreed' : 'Withdrawn';
