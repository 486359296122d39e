// A visitor's message, on its way to the office.
import { mutationOptions } from '@tanstack/react-query';
import { postJson } from '../api.ts';
import type { Answer } from '../api-types.ts';
import type { NewMessage } from './schema.ts';

export const sendMessage = mutationOptions({
  mutationKey: ['messages', 'send'],
  mutationFn: (message: NewMessage) => postJson<Answer>('/api/contact', message),
});
