// Readable forms of the audit trail's identifiers and values.

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

const past_forms: Readonly<Record<string, string>> = {
  set: 'set', reset: 'reset', put: 'put', read: 'read', send: 'sent', resend: 'resent', withdraw: 'withdrew', draw: 'drew', undo: 'undid',
  hold: 'held', skip: 'skipped', unskip: 'unskipped', keep: 'kept', hide: 'hid', take: 'took', give: 'gave', write: 'wrote', log: 'logged', unread: 'marked as unread',
};

/** The past tense of an action: "approve" → "approved", "reset_password" → "reset password". */
export function done(action: string): string {
  const [verb = '', ...rest] = readable(action).split(' ');
  const past = past_forms[verb] ?? (verb.endsWith('e') ? `${verb}d` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`);
  return [past, ...rest].join(' ');
}

/** An action and its object: "approved enrollment", "reset password for user". */
export function sentence(action: string, object: string): string {
  const words = done(action);
  return `${words} ${/ |_/.test(action) ? 'for ' : ''}${readable(object)}`;
}
