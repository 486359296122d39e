// Readable forms of the audit trail's identifiers and values.
import type { AuditEntry } from '../api-types.ts';

/** "set_role" as "set role", "dateOfBirth" as "date of birth". */
export function readable(word: string): string {
  return word
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** A detail's value as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What was done to what: "approved enrollment", "reset password for user". */
export function sentence({ action, done, object }: Pick<AuditEntry, 'action' | 'done' | 'object'>): string {
  return `${done} ${/ |_/.test(action) ? 'for ' : ''}${readable(object)}`;
}
