// What an import would do, or what is wrong with the file.
import { Notice } from '../components/Notice.tsx';
import type { Imported } from './importing.ts';

export function ImportResult({ result: { added, updated, unchanged, problems, moreProblems, rows } }: { result: Imported }) {
  if (problems.length > 0) {
    return (
      <Notice kind="error" title={added + updated + unchanged > 0 ? 'These lines were left out' : 'Nothing was imported'}>
        <p>Please correct this in the file, then choose it again:</p>
        <ul className="import-rows">
          {problems.map((problem) => <li key={problem}>{problem}</li>)}
        </ul>
        {moreProblems > 0 && <p>{`and ${moreProblems} more ${moreProblems === 1 ? 'problem' : 'problems'}`}</p>}
      </Notice>
    );
  }
  return (
    <Notice kind="plain" title={`${added} to add, ${updated} to update, ${unchanged} unchanged`}>
      <ul className="import-rows">
        {rows.map(({ line, action, email }) => (
          <li key={line}><span>{`Line ${line}: ${action} `}</span><bdi>{email}</bdi></li>
        ))}
      </ul>
    </Notice>
  );
}
