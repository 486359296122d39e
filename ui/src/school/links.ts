/** A mailto: link. */
export function mailLink(email: string): string {
  return `mailto:${email}`;
}
