// The tabs of a student's page with their counts, limited to what the role may read.
import type { StudentFile } from '../api-types.ts';
import type { Tab } from '../components/Tabs.tsx';

export type StudentFileTab = 'overview' | 'courses' | 'documents' | 'mail' | 'notes' | 'history' | 'money';

export type PanelProps = { file: StudentFile; onShow: (tab: StudentFileTab) => void };

const order: StudentFileTab[] = ['overview', 'courses', 'documents', 'mail', 'notes', 'history', 'money'];

export function readTab(parameters: URLSearchParams): StudentFileTab {
  return order.find((tab) => tab === parameters.get('tab')) ?? 'overview';
}

export function writeTab(tab: StudentFileTab): Record<string, string> {
  return tab === 'overview' ? {} : { tab };
}

const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label);

export function tabsOf({ enrollments, money, documents, emails, messages, notes, history }: StudentFile): Tab<StudentFileTab>[] {
  const labels: Record<StudentFileTab, string | null> = {
    overview: 'Overview',
    courses: counted('Courses', enrollments.length),
    documents: documents && counted('Documents', documents.length),
    mail: emails || messages ? counted('Emails & Messages', (emails?.length ?? 0) + (messages?.length ?? 0)) : null,
    notes: notes && counted('Notes', notes.filter(({ deletedAt }) => !deletedAt).length),
    history: history && 'History',
    money: money && 'Money',
  };
  return order.flatMap((value) => {
    const label = labels[value];
    return label === null ? [] : [{ value, label, href: `?${new URLSearchParams(writeTab(value))}` }];
  });
}
