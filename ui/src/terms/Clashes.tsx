// Sections whose teacher has another class at the same hour: a warning with links to both.
import type { OfficeSection } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { clashText, nameOf } from './words.ts';

/** The id of a section's row, for links to it. */
export const sectionRowId = (id: number) => `section-${id}`;

export function Clashes({ sections }: { sections: readonly OfficeSection[] }) {
  // Each pair once: the other section has the same clash.
  const shown = new Set(sections.map(({ id }) => id));
  const clashes = sections.flatMap((section) =>
    section.clashes.filter(({ sectionId }) => !shown.has(sectionId) || section.id < sectionId).map((clash) => ({ section, clash })));
  if (clashes.length === 0) return null;
  return (
    <Notice kind="plain" title={clashes.length === 1 ? 'A teacher has two classes at once' : `Teachers have two classes at once: ${clashes.length} clashes`}>
      <ul>
        {clashes.map(({ section, clash }) => (
          <li key={`${section.id}-${clash.sectionId}-${clash.weekday}`}>
            <span dir="auto">{`${section.teacherName}: `}</span>
            <a href={`#${sectionRowId(section.id)}`} onClick={focusRow}>{nameOf(section)}</a>
            <span> and </span>
            {shown.has(clash.sectionId) ? <a href={`#${sectionRowId(clash.sectionId)}`} onClick={focusRow}>{clashText(clash)}</a> : <span>{clashText(clash)}</span>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Moves the focus: following the link would change the address. */
function focusRow(event: React.MouseEvent<HTMLAnchorElement>) {
  const row = document.getElementById(event.currentTarget.hash.slice(1));
  if (!row) return;
  event.preventDefault();
  row.focus();
}
