// The addresses of a request: which of them opened it, and to which the office stopped disclosing.
import { useState } from 'react';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dayText, type Zone } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import type { Mailbox, RequestFile } from './wire.ts';

export function RequestMailboxes({ request: { id, mailboxes }, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const { timeZone } = useSchool();
  const [chosen, setChosen] = useState<Mailbox | null>(null);
  const stopping = useDialogPart(() => import('./StopMailboxDialog.tsx'));

  function begin(mailbox: Mailbox) {
    setChosen(mailbox);
    stopping.open();
  }

  return (
    <section className="card" aria-labelledby="mailboxes">
      <h2 id="mailboxes">Who Can Read It</h2>
      <ul className="rows bare">
        {mailboxes.map((mailbox) => (
          <li className="row" key={mailbox.email}>
            <div>
              <EmailAddress address={mailbox.email} />
              <p className="muted">{stateOf(mailbox, timeZone)}</p>
            </div>
            <div className="cluster">
              {mailbox.stoppedAt !== null && <span className="badge tone-red">Stopped</span>}
              {mayDecide && (
                <button type="button" className="button button-quiet" aria-label={`${mailbox.stoppedAt === null ? 'Stop disclosing to' : 'Resume disclosing to'} ${mailbox.email}`} onClick={() => begin(mailbox)}>
                  {mailbox.stoppedAt === null ? 'Stop…' : 'Resume…'}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {stopping.part && chosen && <stopping.part.StopMailboxDialog id={id} mailbox={chosen} onClose={stopping.close} />}
    </section>
  );
}

function stateOf({ openedAt, stoppedAt, stoppedReason }: Mailbox, timeZone: Zone): string {
  if (stoppedAt !== null) return `Nothing is sent or shown since ${dayText(stoppedAt, timeZone, '')}. ${stoppedReason ?? ''}`;
  return openedAt === null ? 'Has not opened a link yet' : `Opened a link on ${dayText(openedAt, timeZone, '')}`;
}
