// What ends with a student's account, before it is closed.
import { useQuery } from '@tanstack/react-query';
import type { Enrollment } from '../../api-types.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { today } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import type { components } from '../../openapi.ts';
import { closingQuery } from './studentFile.ts';
import './WhatEnds.css';

type Closing = components['schemas']['Closing'];

/** The same, asked for where the account is closed by another decision. */
export function WhatEndsOf({ studentId }: { studentId: number }) {
  const { data: closing, isError } = useQuery(closingQuery(studentId));
  if (isError) return <p role="alert">What is open could not be loaded. Please try again later.</p>;
  return closing ? <WhatEnds closing={closing} isFinal /> : <Spinner label="Looking for what is open..." />;
}

/** `isFinal` if nothing of it can be undone, and another email tells of it. */
export function WhatEnds({ closing: { ending, toMark, documents, balance, onAccount, emails }, isFinal = false }: { closing: Closing; isFinal?: boolean }) {
  return (
    <dl className="pairs tinted what-ends">
      <div>
        <dt>Ends now</dt>
        <dd>
          {ending.length === 0 ? 'Nothing: no request or course is open.' : (
            <ul>{ending.map((one) => <li key={one.id}><strong>{one.course.code}</strong> <span>{endingWords(one)}</span></li>)}</ul>
          )}
        </dd>
      </div>
      {toMark.length > 0 && (
        <div>
          <dt>Stays</dt>
          <dd><ul>{toMark.map((one) => <li key={one.id}><strong>{one.course.code}</strong> <span>has ended and waits for its final mark</span></li>)}</ul></dd>
        </div>
      )}
      {documents > 0 && <div><dt>Documents</dt><dd>{documents === 1 ? '1 document leaves the review queue.' : `${documents} documents leave the review queue.`}</dd></div>}
      {(balance !== 0 || onAccount !== 0) && (
        <div>
          <dt>Money</dt>
          <dd>{`Balance ${moneyText(balance, '$0.00')}${onAccount > 0 ? `, ${moneyText(onAccount, '')} on account` : ''}. It stays; a refund is an act of its own.`}</dd>
        </div>
      )}
      {!isFinal && <div><dt>Emails</dt><dd>{emailsText(emails)}</dd></div>}
    </dl>
  );
}

function emailsText(emails: number): string {
  if (emails === 0) return 'None: the address was never confirmed.';
  const copies = emails - 1;
  if (copies === 0) return 'One to the student. You can undo the closing for a minute.';
  return `One to the student and ${copies === 1 ? 'a copy to the guardian' : `copies to ${copies} guardians`}. You can undo the closing for a minute.`;
}

/** What becomes of an enrollment when the account is closed: "the request is withdrawn". */
function endingWords({ status, startDate, chargedPrice }: Pick<Enrollment, 'status' | 'startDate' | 'chargedPrice'>): string {
  if (status === 'pending') return 'the request is withdrawn';
  if (status === 'waitlisted') return 'leaves the waiting list';
  if (status === 'cancelled') return 'was cancelled by the school; what was paid becomes a refund due';
  const fee = chargedPrice ? (startDate < today() ? ', its charge stays' : ', its charge is reversed') : '';
  return `leaves the course today${fee}`;
}
