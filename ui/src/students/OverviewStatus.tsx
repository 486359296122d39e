// Profile Status (section 2): three checks, and what is missing. The server decides what is missing.
import type { UseQueryResult } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { Student, StudentDocument, MissingItem } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { missingParts } from './profile.ts';

type OverviewStatusProps = {
  student: Student;
  wanted: UseQueryResult<MissingItem[]>;
  documents: UseQueryResult<StudentDocument[]>;
  heading: RefObject<HTMLHeadingElement | null>;
};

export function OverviewStatus({ student, wanted, documents, heading }: OverviewStatusProps) {
  const isProfileWanted = wanted.data?.some(({ kind }) => kind === 'profile');
  const isUploadWanted = wanted.data?.some(({ kind, isWithOffice }) => kind === 'document' && !isWithOffice);
  const failed = wanted.isError ? wanted : documents.isError ? documents : null;
  const checks = (
    <ul className="rows bare checks">
      <Check label="Account Verified" isDone={student.isVerified}>
        {!student.isVerified && <p>{`Please open the link in the message that we sent to ${student.email}.`}</p>}
      </Check>
      <Check label="Profile Complete" isDone={wanted.data && !isProfileWanted}>
        {isProfileWanted && <p>{`Missing: ${missingParts(student)}.`}</p>}
      </Check>
      <Check label="Documents Uploaded" isDone={documents.data && wanted.data && (documents.data.length > 0 || !isUploadWanted)}>
        {documents.data?.length === 0 && <p>None yet.</p>}
      </Check>
    </ul>
  );
  if (isAllDone(wanted.data, documents.data)) {
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
      {failed && (
        <LoadFailed words={failed === wanted ? 'Failed to load what is still needed. Please try again later.' : 'Failed to load your documents. Please try again later.'} query={failed} heading={heading} />
      )}
    </section>
  );
}

/** Whether nothing is left for the student to do, which hides the status. */
export function isAllDone(wanted: readonly MissingItem[] | undefined, documents: readonly StudentDocument[] | undefined): boolean {
  return documents !== undefined && (wanted?.every(({ isWithOffice }) => isWithOffice) ?? false);
}

const done = { state: 'is-done', icon: 'check', tone: 'tone-green', words: 'Done' } as const;
const open = { state: 'is-open', icon: 'alert', tone: 'tone-yellow', words: 'To do' } as const;
const unknown = { state: 'is-unknown', icon: 'clock', tone: '', words: 'Not known yet' } as const;

/** `isDone` is undefined while unknown. */
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
