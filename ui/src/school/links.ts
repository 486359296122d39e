/** A link to write to somebody. */
export function mailLink(email: string): string {
  return `mailto:${email}`;
}
