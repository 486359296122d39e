// What the office changed in a profile: only that is sent, so that nothing else is judged or written.
import type { ProfileValues } from '../students/profile.ts';

export function changedFacts(before: ProfileValues, after: ProfileValues): Partial<ProfileValues> {
  const names = Object.keys(before) as (keyof ProfileValues)[];
  const changed = names.filter((name) => name !== 'email' && name !== 'currentPassword' && before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
