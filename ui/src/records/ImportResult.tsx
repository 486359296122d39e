// What an import would do, or everything that is wrong with the file.
import { Notice } from '../components/Notice.tsx';
import type { Imported } from './importing.ts';

/** More would not be read; the rest shows when these are put right. */
const most_shown = 50;

export function ImportResult({ result: { added, updated, unchanged, problems, rows } }: { result: Imported }) {
  if (problems.length > 0) {
    return (
      <Notice kind="error" title="Nothing was imported">
        <p>Please correct this in the file, then choose it again:</p>
        <ul className="import-rows">
          {problems.slice(0, most_shown).map((problem) => <li key={problem}>{problem}</li>)}
        </ul>
        {problems.length > most_shown && <p>and {problems.length - most_shown} more</p>}
      </Notice>
    );
  }
  return (
    <Notice kind="plain" title={`${added} to add, ${updated} to update, ${unchanged} unchanged`}>
      <ul className="import-rows">
        {rows.filter(({ action }) => action !== 'unchanged').slice(0, most_shown).map(({ line, action, email }) => (
          <li key={line}>Line {line}: {action} <bdi>{email}</bdi></li>
        ))}
      </ul>
    </Notice>
  );
}
