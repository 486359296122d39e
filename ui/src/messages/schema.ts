// Schema of a contact message, with section 5's words.
import * as z from 'zod/mini';
import type { ContactSubject } from '../api-types.ts';
import { readWord } from '../closedSets.ts';
import { email } from '../components/email.ts';

const text = (least: number, message: string) => z.string().check(z.trim(), z.minLength(least, message));

export const contactSchema = z.object({
  name: text(2, 'Name must be at least 2 characters'),
  email: email(),
  phone: z.string().check(z.trim()),
  subject: z.string().check(z.minLength(1, 'Please select a subject')),
  message: text(10, 'Message must be at least 10 characters'),
});

/** The validated form. */
export type NewMessage = z.infer<typeof contactSchema>;

/** Section 3: value and label of each subject. */
export const subjectLabels = {
  admission: 'Admission Inquiry',
  courses: 'Course Information',
  general: 'General Questions',
  other: 'Other',
} satisfies Record<ContactSubject, string>;

/** The subject preselected by a link (`/contact?subject=admission`), or ''. */
export function readSubject(text: string | null): ContactSubject | '' {
  return readWord(subjectLabels, text);
}
