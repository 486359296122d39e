// Sends a contact message.
import { mutationOptions } from '@tanstack/react-query';
import { postJson } from '../api.ts';
import type { ContactSubject } from '../api-types.ts';
import type { NewMessage } from './schema.ts';

export const sendMessage = mutationOptions({
  mutationKey: ['messages', 'send'],
  // The form offers no other subject.
  mutationFn: (message: NewMessage) => postJson('/api/contact', { ...message, subject: message.subject as ContactSubject }),
});
