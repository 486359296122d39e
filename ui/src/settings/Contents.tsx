// The table of contents of the settings page.
import { onPlainClick } from '../components/Tabs.tsx';
import '../components/Chips.css';

const parts = {
  facts: 'School Facts',
  texts: 'Texts',
  announcement: 'Announcement',
  semesters: 'Semesters',
  fees: 'Fees',
  questions: 'Questions',
  hours: 'Hours',
  universities: 'Universities',
  colours: 'Colours',
  crest: 'Crest',
  hero: 'Hero Picture',
  campus: 'Campus',
  people: 'People',
  everyGuardianConfirms: 'Guardians',
  waitingEmail: 'Weekday Email',
  versions: 'History',
};

/** Scrolls to a section and moves the focus, without changing the address. */
function lead(id: string) {
  const heading = document.getElementById(id);
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'start' });
}

export function Contents() {
  return (
    <nav className="chips" aria-label="On this page">
      {Object.entries(parts).map(([id, words]) => <a key={id} href={`#${id}`} onClick={(event) => onPlainClick(event, () => lead(id))}>{words}</a>)}
    </nav>
  );
}
