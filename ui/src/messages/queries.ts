// Messages from visitors to the office.
import { mutationOptions } from '@tanstack/react-query';
import { postJson } from '../api.ts';
import type { Answer, NewContactMessage } from '../api-types.ts';

export const sendMessage = mutationOptions({
  mutationKey: ['messages', 'send'],
  mutationFn: (message: NewContactMessage) => postJson<Answer>('/api/contact', message),
});
