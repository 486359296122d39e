// The failure message of the contact form.
import { ApiError } from '../api.ts';

/** Says what happened and what to do. `email` is the school's address, or empty. */
export function failureText(error: Error, email: string): string {
  const kept = 'What you wrote is still here.';
  if (!(error instanceof ApiError)) return `Your message was not sent. ${kept} Please try again.`;
  if (error.status === 0) return `Your message was not sent. ${kept} ${error.detail}`;
  if (error.status === 429) return `${error.detail ?? waitText(error)} ${kept}`;
  if (error.status === 400 || error.status === 413) return error.detail ?? 'Please check what you wrote and send it again.';
  return `Your message was not sent, because of a problem on our side. ${kept} Please try again in a few minutes${email && `, or write to ${email}`}.`;
}

/** The message of a rate limit whose response has none. */
function waitText(error: ApiError): string {
  const seconds = error.retryAfterSeconds;
  const minutes = Math.ceil((seconds ?? 0) / 60);
  const wait = minutes === 0 ? 'a while' : minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `Too many messages were sent from your network. Please wait ${wait}, then send it again.`;
}
