// A student's changed details: before, now and since when.
import type { IdentityChange } from '../api-types.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { historyText, netChanges } from './identityChange.ts';
import './IdentityChanges.css';

export function IdentityFields({ student }: { student: Pick<IdentityChange, 'changes'> }) {
  const { timeZone } = useSchool();
  return (
    <dl className="stack changed">
      {netChanges(student.changes).map((change) => (
        <div key={change.field}>
          <dt>{change.label}</dt>
          <dd>
            <del dir="auto"><span className="sr-only">before: </span><span>{change.before}</span></del>{' '}
            <span aria-hidden="true">→</span>{' '}
            <ins dir="auto"><span className="sr-only">now: </span><span>{change.after}</span></ins>
            <small>{[momentText(change.at, timeZone), historyText(change)].filter(Boolean).join(' · ')}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
