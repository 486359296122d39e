// The first tab of a student's page: a to-do list with links, and key facts.
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { StudentFile, MissingItem } from '../api-types.ts';
import { loadPart } from '../components/loadPart.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dateText, dayText } from '../dates.ts';
import { documentName, documentReviews, documentTypes } from '../documents/types.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { GuardianFacts } from '../students/GuardianFacts.tsx';
import { type ProfileField, profileParts, profileText } from '../students/profile.ts';
import { ProfileFact } from '../students/ProfileFact.tsx';
import { StudentApplications } from './StudentApplications.tsx';
import type { PanelProps, StudentFileTab } from './tabs.ts';
import { useAccountAction } from './useAccountAction.ts';
import { guardianWays } from './words.ts';

/** Loaded for those who wait for a guardian. */
const RemindGuardians = lazy(async () => ({ default: (await loadPart(() => import('./RemindGuardians.tsx'))).RemindGuardians }));

export function OverviewPanel({ file, onShow }: PanelProps) {
  return (
    <div className="split student-overview">
      <section className="card" aria-labelledby="waits">
        <h2 id="waits">To Do</h2>
        <Waiting file={file} onShow={onShow} />
        <Documents file={file} />
        <Guardians file={file} />
        <Identity file={file} />
      </section>
      <Facts file={file} />
    </div>
  );
}

type TodoItem = { text: string; tab?: StudentFileTab; isForGuardian?: boolean };

/** To-do items: the office's first, then the student's. A course ends with its last day in the school's time zone. */
export function todoItems({ enrollments, wanted }: Pick<StudentFile, 'enrollments' | 'wanted'>, today: string): TodoItem[] {
  const pending = enrollments.filter(({ status }) => status === 'pending');
  const ended = enrollments.filter(({ status, endDate }) => status === 'active' && endDate < today);
  const has = (kind: MissingItem['kind']) => wanted?.some((one) => one.kind === kind);
  const documents = (wanted ?? []).filter(({ kind }) => kind === 'document');
  return [
    ...pending.map(({ course }) => ({ text: `Decide about ${course.code}, ${course.name}`, tab: 'courses' as const })),
    ...ended.map(({ course }) => ({ text: `Enter the mark of ${course.code}`, tab: 'courses' as const })),
    ...documents.map(({ documentType, isWithOffice }) => ({
      text: `${documentType ? documentTypes[documentType] : 'A document'}: ${isWithOffice ? 'to review' : 'missing'}`,
      tab: 'documents' as const,
    })),
    ...(has('profile') ? [{ text: 'The profile is not complete' }] : []),
    ...(has('guardian_confirmation') ? [{ text: 'A parent or guardian has not confirmed', isForGuardian: true }] : []),
  ];
}

function Waiting({ file, onShow }: PanelProps) {
  const { student } = file;
  const { duties } = useUser();
  const act = useAccountAction(student);
  const all = todoItems(file, useSchoolDay());
  const isUnverified = student.status === 'unverified';
  if (all.length === 0 && !isUnverified) return <p className="muted">{file.wanted ? 'Nothing to do for the office or the student.' : '–'}</p>;
  return (
    <ul className="rows bare">
      {isUnverified && (
        <li className="row">
          <span>{student.origin === 'office' ? 'The invitation has not been accepted yet' : 'The email address is not verified'}</span>
          {duties.includes('students') && (
            <button type="button" className="button button-outline" onClick={() => act('resend-verification')}>Send again</button>
          )}
        </li>
      )}
      {all.map(({ text, tab, isForGuardian }) => (
        <li className="row" key={text}>
          <span dir="auto">{text}</span>
          {isForGuardian && file.flags.includes('request_waiting') && duties.includes('students') && <Suspense fallback={null}><RemindGuardians id={student.id} /></Suspense>}
          {tab && <button type="button" className="button button-outline" onClick={() => onShow(tab)}>Open</button>}
        </li>
      ))}
    </ul>
  );
}

/** How the newest document of each type stands, which is asked on the phone. */
function Documents({ file: { documents } }: { file: StudentFile }) {
  const newest = (documents ?? []).filter((one, place, all) => all.findIndex((other) => documentName(other) === documentName(one)) === place);
  if (newest.length === 0) return null;
  return (
    <>
      <h3>Documents</h3>
      <ul className="rows bare">
        {newest.map((document) => (
          <li className="row" key={document.id}>
            <Link to="?tab=documents" dir="auto">{documentName(document)}</Link>
            <span className={`badge tone-${documentReviews[document.status].tone}`}>{documentReviews[document.status].label}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Guardians({ file: { student, guardians, wanted } }: { file: StudentFile }) {
  const { part, open, close } = useDialogPart(() => import('./GuardianDialog.tsx'));
  const list = useDialogPart(() => import('./GuardianList.tsx'));
  const stop = useDialogPart(() => import('./StopGuardianDialog.tsx'));
  const [stopping, setStopping] = useState<StudentFile['guardians'][number] | null>(null);
  const { duties } = useUser();
  const { timeZone } = useSchool();
  const isMinor = student.age === null || student.age < 18;
  const confirmed = student.guardianConfirmed;
  const isOld = confirmed && wanted?.some(({ kind }) => kind === 'guardian_confirmation');
  const mayEdit = duties.includes('students');
  const active = guardians.filter(({ stoppedAt }) => stoppedAt === null);
  return (
    <>
      <h3>Parents and Guardians</h3>
      {guardians.length === 0 && <p className="muted">No parent or guardian is named.</p>}
      {guardians.length > 0 && (
        <ul className="rows bare">
          {guardians.map((guardian) => (
            <GuardianRow
              key={guardian.id}
              guardian={guardian}
              onStop={mayEdit ? () => {
                setStopping(guardian);
                stop.open();
              } : null}
            />
          ))}
        </ul>
      )}
      {guardians.length === 0 && confirmed && <ConfirmedWords confirmed={confirmed} />}
      {isOld && <p><span className="badge tone-yellow">not confirmed</span><span> An open request: what is confirmed above is about others.</span></p>}
      {student.familyPageSince && <p className="muted">{`Of age, and has the guardians keep the family page since ${dayText(student.familyPageSince, timeZone, '')}.`}</p>}
      {mayEdit && (
        <p className="cluster">
          {isMinor && (
            <button type="button" className="button button-outline" onClick={open}>
              {confirmed && !isOld ? 'Change Confirmation' : 'Record Confirmation'}
            </button>
          )}
          <button type="button" className="button button-outline" onClick={list.open}>{active.length > 0 ? 'Edit Guardians' : 'Add a Guardian'}</button>
        </p>
      )}
      {part && <part.GuardianDialog student={student} guardians={active} onClose={close} />}
      {list.part && <list.part.GuardianList studentId={student.id} guardians={guardians} onClose={list.close} />}
      {stop.part && stopping && <stop.part.StopGuardianDialog studentId={student.id} guardian={stopping} onClose={stop.close} />}
    </>
  );
}

type GuardianRowProps = { guardian: StudentFile['guardians'][number]; onStop: (() => void) | null };

function GuardianRow({ guardian, onStop }: GuardianRowProps) {
  const { name, stoppedAt, stoppedReason, getsMail, confirmed } = guardian;
  const nameId = useId();
  const { timeZone } = useSchool();
  return (
    <li className="row">
      <div>
        <p dir="auto"><strong id={nameId}>{name}</strong></p>
        <p className="muted"><GuardianFacts {...guardian} />{!getsMail && <span> · no emails</span>}</p>
        {confirmed && <ConfirmedWords confirmed={confirmed} />}
        {stoppedAt && <p><span className="badge tone-red">stopped</span><span>{` Nothing is disclosed since ${dayText(stoppedAt, timeZone, '')}${stoppedReason ? `: ${stoppedReason}` : '.'}`}</span></p>}
      </div>
      {onStop && <button type="button" className="button button-quiet" aria-describedby={nameId} onClick={onStop}>{stoppedAt ? 'Disclose Again…' : 'Stop Disclosing…'}</button>}
    </li>
  );
}

function ConfirmedWords({ confirmed: { how, by, at, until } }: { confirmed: NonNullable<StudentFile['student']['guardianConfirmed']> }) {
  const { timeZone } = useSchool();
  const recorded = by ? `, recorded by ${by}` : '';
  const year = until ? `, until ${dateText(until, '')}` : '';
  return <p>{`Confirmed ${guardianWays[how]}${recorded} on ${dayText(at, timeZone, 'an unknown date')}${year}.`}</p>;
}

/** Whether name and date of birth were checked against a document; approvals check nothing. */
function Identity({ file: { student } }: { file: StudentFile }) {
  const { part, open, close } = useDialogPart(() => import('./ConfirmIdentityDialog.tsx'));
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const { id, fullName, email, identityCheckedAt: checkedAt, identityChangedAt: changedAt } = student;
  // Changed details are shown in a notice at the top.
  if (!duties.includes('records') || changedAt !== null) return null;
  async function finish() {
    await client.invalidateQueries({ queryKey: recordsKey });
    close();
  }
  return (
    <>
      <h3>Identity</h3>
      <p>{checkedAt ? `Name and date of birth compared with an accepted document on ${dayText(checkedAt, timeZone, '')}.` : 'Name and date of birth not compared with an accepted document yet.'}</p>
      {!checkedAt && duties.includes('enrollments') && (
        <button type="button" className="button button-outline" onClick={open}>Confirm the Identity</button>
      )}
      {part && <part.ConfirmIdentityDialog student={{ id, fullName, email, changedAt: null, changes: [] }} onConfirmed={() => void finish()} onClose={close} />}
    </>
  );
}

/** Contact parts of a profile; the rest is for roles that read records. */
const isContact = ({ name, part }: { name: string } & ProfileField) => ['Contact', 'Parent or guardian'].includes(part) || name === 'fullName' || name === 'preferredName';

function Facts({ file: { student, money, applications } }: { file: StudentFile }) {
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const rows = profileParts.flatMap(({ fields }) => fields).filter((field) => field.term !== null && (duties.includes('records') || isContact(field)));
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">Profile</h2>
      <dl className="grid">
        {rows.map((field) => (
          <ProfileFact key={field.name} term={field.term ?? field.label} value={profileText(field, student)} />
        ))}
        <ProfileFact term="Account since" value={dayText(student.createdAt, timeZone, '')} />
        {student.hasSecondFactor && <ProfileFact term="Second factor" value="On" />}
        <ProfileFact term="Last activity" value={dayText(student.lastActivityAt, timeZone, 'Never')} />
      </dl>
      {money && <p><Link to={officePaths.charges}>Unpriced enrollments</Link></p>}
      <StudentApplications applications={applications} />
    </section>
  );
}
