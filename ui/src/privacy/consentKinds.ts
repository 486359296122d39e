// What a consent is to, in words.
import type { ConsentKind } from '../api-types.ts';

export const consentKinds = {
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  enrollment: 'Terms, for a course',
} satisfies Record<ConsentKind, string>;
