// What an entry of the audit changed, field by field, and what else was noted with it.
import { Link } from 'react-router';
import type { Deed } from '../api-types.ts';
import { paths } from '../paths.ts';
import { readable, valueText } from './words.ts';

export function EntryDetail({ deed }: { deed: Deed }) {
  const facts = Object.entries(deed.detail as Record<string, unknown>).filter(([, value]) => value !== null);
  return (
    <div className="deed">
      {deed.changes.length > 0 && (
        <ul>
          {deed.changes.map(({ field, before, after }) => (
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
      {deed.changes.length === 0 && facts.length === 0 && <p className="muted">Nothing more was noted.</p>}
      <p className="fine-print">
        <span>{`Row ${deed.id}`}</span>{deed.objectId !== null && <><span>{` · ${readable(deed.object)} #${deed.objectId} · `}</span><Link to={`${paths.adminAudit}?${new URLSearchParams({ object: deed.object, objectId: String(deed.objectId) })}`}>All about it</Link></>}
      </p>
    </div>
  );
}
