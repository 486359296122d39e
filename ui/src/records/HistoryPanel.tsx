// The change history of a student's account, and the student's consents.
import type { Consent, HistoryEntry } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { momentText } from '../dates.ts';
import { consentKinds, saidText, versionText } from '../privacy/consentKinds.ts';
import { useSchool } from '../school/queries.ts';
import { fieldLabel, valueText } from './fieldWords.ts';
import type { PanelProps } from './tabs.ts';
import { actorText } from './words.ts';

export function HistoryPanel({ file: { history, consents } }: PanelProps) {
  return (
    <div className="stack file-cards">
      <Changes history={history} />
      {consents && consents.length > 0 && <Consents consents={consents} />}
    </div>
  );
}

function Consents({ consents }: { consents: readonly Consent[] }) {
  const { timeZone } = useSchool();
  return (
    <section className="card" aria-labelledby="consents">
      <h2 id="consents">Consents</h2>
      <ul className="rows bare">
        {consents.map(({ id, kind, textVersion, isGiven, wasAsked, at }) => (
          <li className="row" key={id}>
            <div><strong>{consentKinds[kind]}</strong><p className="muted">{`${saidText({ isGiven, wasAsked })}, ${momentText(at, timeZone)}`}</p></div>
            <span className={isGiven ? 'badge' : 'badge tone-red'}>{versionText(textVersion)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Changes({ history }: { history: HistoryEntry[] | null }) {
  if (!history || history.length === 0) {
    return <EmptyState icon="clock" title="No changes yet"><p>Every change of the profile and the account is listed here.</p></EmptyState>;
  }
  return (
    <ol className="card rows bare">
      {history.map((entry) => <li key={entry.id}><Entry entry={entry} /></li>)}
    </ol>
  );
}

/** Entries without a previous value. */
const happened: ReadonlySet<string> = new Set(['officeEmail', 'officeUpload', 'documentRemoved', 'lostFile', 'archive']);

function Entry({ entry }: { entry: HistoryEntry }) {
  const { timeZone } = useSchool();
  const { field, before, after, reason, at } = entry;
  return (
    <>
      <p>
        <strong>{fieldLabel(field)}</strong><span>: </span>{!happened.has(field) && <><del><bdi>{valueText(field, before)}</bdi></del><span> → </span></>}<ins><bdi>{valueText(field, after)}</bdi></ins>
      </p>
      <p className="muted"><span>{`${actorText(entry)}, ${momentText(at, timeZone)}`}</span>{reason && <><span> · </span><span dir="auto">{reason}</span></>}</p>
    </>
  );
}
