// The preview of an import, or the problems of its file.
import type { Elements } from './elements.ts';
import { Notice } from './Notice.tsx';
import type { Imported } from './importing.ts';

export function ImportResult({ result: { added, updated, unchanged, leftOut, problems, moreProblems, rows } }: { result: Imported }) {
  if (problems.length > 0) {
    return (
      <Notice kind="error" title={added + updated + unchanged > 0 ? 'These lines were skipped' : 'Nothing was imported'}>
        <p>Please correct this in the file, then choose it again:</p>
        <Lines>{problems.map((problem) => <li key={problem}>{problem}</li>)}</Lines>
        {moreProblems > 0 && <p>{`and ${moreProblems} more ${moreProblems === 1 ? 'problem' : 'problems'}`}</p>}
      </Notice>
    );
  }
  return (
    <Notice kind="plain" title={`${added} to add, ${updated} to update, ${unchanged} unchanged${leftOut > 0 ? `, ${leftOut} who are no students` : ''}`}>
      <Lines>
        {rows.map(({ line, action, email, code }) => (
          <li key={line}><span>{`Line ${line}: ${action} `}</span><bdi>{email ?? code}</bdi></li>
        ))}
      </Lines>
    </Notice>
  );
}

/** Scrollable, by keyboard too. */
function Lines({ children }: { children: Elements }) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  return <ul className="import-rows" tabIndex={0}>{children}</ul>;
}
