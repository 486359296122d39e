// Profile Status (section 2): three checks, each done or to do, and what is missing by name.
import type { UseQueryResult } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { Student, StudentDocument } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { missingParts } from './profile.ts';

type OverviewStatusProps = {
  student: Student;
  documents: UseQueryResult<StudentDocument[]>;
  heading: RefObject<HTMLHeadingElement | null>;
};

export function OverviewStatus({ student, documents, heading }: OverviewStatusProps) {
  const missing = missingParts(student);
  const checks = (
    <ul className="rows bare checks">
      <Check label="Account Verified" isDone={student.isVerified}>
        {!student.isVerified && <p>{`Please open the link in the message that we sent to ${student.email}.`}</p>}
      </Check>
      <Check label="Profile Complete" isDone={missing.length === 0}>
        {missing.length > 0 && (
          <p>{`Missing: ${list.format(missing)}.`}</p>
        )}
      </Check>
      <Check label="Documents Uploaded" isDone={documents.data && documents.data.length > 0}>
        {documents.data?.length === 0 && <p>None yet.</p>}
      </Check>
    </ul>
  );
  if (isAllDone(student, documents.data)) {
    return (
      <section aria-labelledby="profile-status">
        <details className="card status-folded">
          <summary className="row">
            <h2 id="profile-status" ref={heading} tabIndex={-1}>Profile Status</h2>
            <span className="badge tone-green">All complete</span>
          </summary>
          {checks}
        </details>
      </section>
    );
  }
  return (
    <section className="card half" aria-labelledby="profile-status">
      <h2 id="profile-status" ref={heading} tabIndex={-1}>Profile Status</h2>
      {checks}
      {documents.isError && (
        <LoadFailed words="Failed to load your documents. Please try again later." query={documents} heading={heading} />
      )}
    </section>
  );
}

/** Nothing is left to do: the status need not be read again. */
export function isAllDone(student: Student, documents: readonly StudentDocument[] | undefined): boolean {
  return student.isVerified && missingParts(student).length === 0 && (documents?.length ?? 0) > 0;
}

const list = new Intl.ListFormat('en-CA');

const done = { state: 'is-done', icon: 'check', tone: 'tone-green', words: 'Done' } as const;
const open = { state: 'is-open', icon: 'alert', tone: 'tone-yellow', words: 'To do' } as const;
const unknown = { state: 'is-unknown', icon: 'clock', tone: '', words: 'Not known yet' } as const;

/** `isDone` is undefined while nobody knows. */
function Check({ label, isDone, children }: { label: string; isDone: boolean | undefined; children: Elements }) {
  const { state, icon, tone, words } = isDone === undefined ? unknown : isDone ? done : open;
  return (
    <li className={state}>
      <Icon name={icon} />
      <strong>{label}</strong>
      <span className={`badge ${tone}`}>{words}</span>
      {children && <div>{children}</div>}
    </li>
  );
}
