// The first tab of the dashboard: where the student stands, and what is left to do.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DocumentType } from '../api-types.ts';
import { ownDocumentsQuery } from '../documents/queries.ts';
import { UploadDialog } from '../documents/UploadDialog.tsx';
import { CurrentCourses } from '../enrollments/CurrentCourses.tsx';
import { OverviewInformation } from './OverviewInformation.tsx';
import { OverviewReminder } from './OverviewReminder.tsx';
import { isAllDone, OverviewStatus } from './OverviewStatus.tsx';
import { OverviewWanted } from './OverviewWanted.tsx';
import { ProfileDialog } from './ProfileDialog.tsx';
import { ProfileEmailNotice } from './ProfileEmailNotice.tsx';
import { useStudent } from './useStudent.ts';

export function OverviewTab() {
  const student = useStudent();
  const documents = useQuery(ownDocumentsQuery);
  const [dialog, setDialog] = useState<DocumentType | 'upload' | 'profile' | null>(null);
  const status = useRef<HTMLHeadingElement>(null);
  // What is left to do comes first; once nothing is, the courses do.
  const isDone = isAllDone(student, documents.data);
  const close = () => setDialog(null);

  function finish() {
    // What opened the dialog may be done and gone; the checks say what is left.
    flushSync(close);
    status.current?.focus();
  }

  return (
    <div className="split overview">
      {documents.data?.length === 0 && <OverviewReminder onUpload={() => setDialog('upload')} />}
      <ProfileEmailNotice student={student} onKept={() => status.current?.focus()} />
      <OverviewWanted student={student} documents={documents.data} onProfile={() => setDialog('profile')} onUpload={setDialog} />
      {isDone && <CurrentCourses />}
      {!isDone && <OverviewStatus student={student} documents={documents} heading={status} />}
      <OverviewInformation student={student} isWide={isDone} />
      {isDone ? <OverviewStatus student={student} documents={documents} heading={status} /> : <CurrentCourses />}
      {dialog && dialog !== 'profile' && (
        <UploadDialog type={dialog === 'upload' ? '' : dialog} documents={documents.data} onClose={close} onUploaded={finish} />
      )}
      {dialog === 'profile' && <ProfileDialog student={student} onClose={close} onSaved={finish} />}
    </div>
  );
}
