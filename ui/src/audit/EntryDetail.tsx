// The details of an audit entry, field by field.
import { Link } from 'react-router';
import type { AuditEntry } from '../api-types.ts';
import { momentText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { readable, valueText } from './words.ts';

export function EntryDetail({ entry }: { entry: AuditEntry }) {
  const { timeZone } = useSchool();
  const facts = Object.entries(entry.detail as Record<string, unknown>).filter(([, value]) => value !== null);
  return (
    <div className="audit-entry">
      {entry.changes.length > 0 && (
        <ul>
          {entry.changes.map(({ field, before, after }) => (
            <li key={field}>
              {field && <strong>{`${readable(field)}: `}</strong>}
              <del><bdi>{before ?? 'empty'}</bdi></del><span> → </span><ins><bdi>{after ?? 'empty'}</bdi></ins>
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && (
        <dl className="pairs">
          {facts.map(([name, value]) => <div key={name}><dt>{readable(name)}</dt><dd dir="auto">{valueText(value)}</dd></div>)}
        </dl>
      )}
      {entry.changes.length === 0 && facts.length === 0 && <p className="muted">No further details.</p>}
      <p className="fine-print">
        <span>{`${momentText(entry.at, timeZone)} · row ${entry.id}`}</span>{entry.objectId !== null && <><span>{` · ${readable(entry.object)} #${entry.objectId} · `}</span><Link to={`${officePaths.audit}?${new URLSearchParams({ object: entry.object, objectId: String(entry.objectId) })}`}>All entries about it</Link></>}
      </p>
    </div>
  );
}
