// The Overview tab: status and to-do items.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStudent } from '../accounts/signedIn.ts';
import type { DocumentType } from '../api-types.ts';
import { Spinner } from '../components/Spinner.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { ownDocumentsQuery } from '../documents/queries.ts';
import { CurrentCourses } from '../enrollments/CurrentCourses.tsx';
import { ownEnrollmentsQuery, weekQuery } from '../enrollments/queries.ts';
import { WeekCard } from '../enrollments/WeekCard.tsx';
import { hasClasses } from '../enrollments/week.ts';
import { FeesCard } from '../money/payments/FeesCard.tsx';
import { ownFeesQuery } from '../money/queries.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { OverviewInformation } from './OverviewInformation.tsx';
import { OverviewReminder } from './OverviewReminder.tsx';
import { isAllDone, OverviewStatus } from './OverviewStatus.tsx';
import { OverviewNeeded } from './OverviewNeeded.tsx';
import { ProfileEmailNotice } from './ProfileEmailNotice.tsx';
import { missingItemsQuery } from './missingItems.ts';
import { useSettled } from './useSettled.ts';

export function OverviewTab() {
  const student = useStudent();
  const client = useQueryClient();
  const documents = useQuery(ownDocumentsQuery);
  const wanted = useQuery(missingItemsQuery);
  const enrollments = useQuery(ownEnrollmentsQuery);
  const isTaught = hasClasses(enrollments.data);
  const isSettled = useSettled(documents, wanted, enrollments, useQuery(ownFeesQuery), useQuery(weekQuery(useSchoolDay())));
  const profile = useDialogPart(() => import('./ProfileDialog.tsx'));
  const guardians = useDialogPart(() => import('./OwnGuardiansDialog.tsx'));
  const upload = useDialogPart(() => import('../documents/UploadDialog.tsx'));
  const [wantedType, setWantedType] = useState<DocumentType | ''>('');
  const status = useRef<HTMLHeadingElement>(null);
  // To-do items come first; without any, the courses.
  const isDone = isAllDone(wanted.data, documents.data);
  const isUploadWanted = wanted.data?.some(({ kind, isWithOffice }) => kind === 'document' && !isWithOffice);

  function beginUpload(type: DocumentType) {
    setWantedType(type);
    upload.open();
  }

  async function finish() {
    await client.invalidateQueries({ queryKey: missingItemsQuery.queryKey });
    // The item that opened the dialog may be gone; move the focus to the status card.
    flushSync(() => {
      upload.close();
      profile.close();
      guardians.close();
    });
    status.current?.focus();
  }

  if (!isSettled) return <Spinner label="Loading your dashboard..." />;
  return (
    <div className="split overview">
      {documents.data?.length === 0 && isUploadWanted && <OverviewReminder />}
      <ProfileEmailNotice student={student} onKept={() => status.current?.focus()} />
      <OverviewNeeded wanted={wanted.data ?? []} student={student} onProfile={profile.open} onGuardians={guardians.open} onUpload={beginUpload} />
      {isTaught && <WeekCard />}
      {isDone && <CurrentCourses />}
      <FeesCard />
      {!isDone && <OverviewStatus student={student} wanted={wanted} documents={documents} heading={status} />}
      <OverviewInformation student={student} isWide={isDone} />
      {isDone ? <OverviewStatus student={student} wanted={wanted} documents={documents} heading={status} /> : <CurrentCourses />}
      {upload.part && (
        <upload.part.UploadDialog type={wantedType} documents={documents.data} onClose={upload.close} onUploaded={() => void finish()} />
      )}
      {guardians.part && <guardians.part.OwnGuardiansDialog onClose={guardians.close} onSaved={finish} />}
      {profile.part && <profile.part.ProfileDialog student={student} onClose={profile.close} onSaved={() => void finish()} />}
    </div>
  );
}
