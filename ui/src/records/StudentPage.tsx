// A student's page: the complete file, in tabs.
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { ApiError } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { Tabs, tabId } from '../components/Tabs.tsx';
import { usePartLater } from '../components/usePartLater.ts';
import { usePrinting } from '../components/usePrinting.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { officePaths } from '../officePaths.ts';
import { CoursesPanel } from './CoursesPanel.tsx';
import { DocumentsPanel } from './DocumentsPanel.tsx';
import { NotesPanel } from './NotesPanel.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { StudentHead } from './StudentHead.tsx';
import { type PanelProps, readTab, type StudentFileTab, tabsOf, writeTab } from './tabs.ts';
import './records.css';

/** Those of the money and of the history are loaded later: most visits are about something else. */
const panels: Record<Exclude<StudentFileTab, 'mail' | 'money' | 'history'>, ComponentType<PanelProps>> = {
  overview: OverviewPanel,
  courses: CoursesPanel,
  documents: DocumentsPanel,
  notes: NotesPanel,
};

const panelId = 'student-panel';

export function StudentPage() {
  const id = Number(useParams().id);
  // Reset the state for another student.
  return <StudentById key={id} id={id} />;
}

function StudentById({ id }: { id: number }) {
  const file = useQuery(studentFileQuery(id));
  const heading = useRef<HTMLHeadingElement>(null);

  if (file.data) return <Student file={file.data} />;
  const isMissing = file.error instanceof ApiError && file.error.status === 404;
  return (
    <>
      <PageHead eyebrow="Student" title={isMissing ? 'Student Not Found' : 'Student'} ref={heading} />
      {file.isPending && <Spinner label="Loading the student..." />}
      {isMissing && (
        <EmptyState icon="search" title="There is no student with this number">
          <p>The account may have been removed because its address was never verified.</p>
          <Link className="button button-outline" to={officePaths.students}>All students</Link>
        </EmptyState>
      )}
      {file.isError && !isMissing && <LoadFailed words="Failed to load the student. Please try again later." query={file} heading={heading} />}
    </>
  );
}

function Student({ file }: { file: StudentFile }) {
  const [tab, show] = useUrlView<StudentFileTab>({ read: readTab, write: writeTab });
  const tabs = tabsOf(file);
  const selected = tabs.find(({ value }) => value === tab)?.value ?? 'overview';
  const isPrinting = usePrinting();
  const money = usePartLater(() => import('./MoneyPanel.tsx'), selected === 'money');
  const mail = usePartLater(() => import('./MailPanel.tsx'), selected === 'mail');
  const history = usePartLater(() => import('./HistoryPanel.tsx'), selected === 'history');
  const all = { ...panels, mail: mail?.MailPanel ?? LoadingPanel, money: money?.MoneyPanel ?? LoadingPanel, history: history?.HistoryPanel ?? LoadingPanel };

  return (
    <div className="student-file">
      <StudentHead file={file} />
      <Tabs
        label="Student"
        tabs={tabs}
        selected={selected}
        panelId={panelId}
        onSelect={(next, isKey) => show(next, isKey ? typing_pause_ms : 0)}
      />
      {/* Paper has no tabs: all of them are printed. */}
      {tabs.filter(({ value }) => isPrinting || value === selected).map(({ value, label }) => {
        const Panel: ComponentType<PanelProps> = all[value];
        return (
          <div key={value} {...(value === selected && { id: panelId, role: 'tabpanel', 'aria-labelledby': tabId(panelId, selected) })}>
            <h2 className={isPrinting ? undefined : 'sr-only'}>{label}</h2>
            <Panel file={file} onShow={(next) => show(next)} />
          </div>
        );
      })}
    </div>
  );
}

const LoadingPanel = () => <Spinner label="Loading..." />;
