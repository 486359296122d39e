// The four grade tabs (WAI-ARIA tabs). They are links underneath, so that they also work
// in a page whose script has not run, and open in a new window when asked to.
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import type { Grade } from '../api-types.ts';
import { paths } from '../paths.ts';
import { grades } from './grades.ts';

type GradeTabsProps = {
  grade: Grade;
  panelId: string;
  onSelect: (grade: Grade, isKey: boolean) => void;
};

export function gradeTabId(grade: Grade): string {
  return `tab-grade-${grade}`;
}

export function GradeTabs({ grade, panelId, onSelect }: GradeTabsProps) {
  const list = useRef<HTMLDivElement>(null);

  function selectByKey(event: KeyboardEvent) {
    const next = gradeForKey(event.key, grade);
    if (!next) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`#${gradeTabId(next)}`)?.focus();
    if (next !== grade) onSelect(next, true);
  }

  function selectByClick(event: MouseEvent, clicked: Grade) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onSelect(clicked, false);
  }

  return (
    // The focus moves among the tabs; the list itself never holds it.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div className="tabs" role="tablist" aria-label="Grade" ref={list} onKeyDown={selectByKey}>
      {grades.map((each) => (
        <a
          key={each}
          id={gradeTabId(each)}
          role="tab"
          href={paths.courses(each)}
          aria-selected={each === grade}
          aria-controls={panelId}
          tabIndex={each === grade ? 0 : -1}
          onClick={(event) => selectByClick(event, each)}
        >
          Grade {each}
        </a>
      ))}
    </div>
  );
}

/** The tab a key leads to; Space and Enter choose the one that has the focus. */
function gradeForKey(key: string, grade: Grade): Grade | undefined {
  const index = grades.indexOf(grade);
  const last = grades.length - 1;
  switch (key) {
    case 'ArrowRight': return grades[index === last ? 0 : index + 1];
    case 'ArrowLeft': return grades[index === 0 ? last : index - 1];
    case 'Home': return grades[0];
    case 'End': return grades[last];
    case ' ': return grade;
    default: return undefined;
  }
}
