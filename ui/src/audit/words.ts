// How the trail's words are read: its verbs, things and fields are the program's own.

/** "set_role" as "set role", "dateOfBirth" as "date of birth". */
export function readable(word: string): string {
  return word
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** A value of a detail, as a line of text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
