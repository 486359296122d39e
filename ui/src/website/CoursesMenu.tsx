// The Courses dropdown with four links. Closes on Esc and when focus or pointer leaves.
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { codeIn } from '../courses/courseKey.ts';
import { grades, readGrade } from '../courses/grades.ts';
import { paths } from '../paths.ts';

export function CoursesMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const { pathname, search } = useLocation();
  const isCurrent = pathname === paths.courses() || codeIn(pathname) !== undefined;
  const current = isCurrent && readGrade(new URLSearchParams(search).get('grade'));
  useOutsidePress(root, isOpen, () => setIsOpen(false));

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isOpen) return;
    setIsOpen(false);
    button.current?.focus();
  }

  function closeOnLeave(event: FocusEvent) {
    // Without a new focus target the window lost the focus: keep it open.
    if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setIsOpen(false);
  }

  return (
    // Only listens to the keys and focus of the controls inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="disclosure" ref={root} onKeyDown={closeOnEscape} onBlur={closeOnLeave}>
      <button
        type="button"
        ref={button}
        className={isCurrent ? 'is-current' : undefined}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        Courses <SiteIcon name="chevron" />
      </button>
      <noscript>
        <Link to={paths.courses()} className={isCurrent ? 'is-current' : undefined}>Courses <SiteIcon name="chevron" /></Link>
      </noscript>
      <ul id={listId} className="floats" hidden={!isOpen}>
        {grades.map((grade) => (
          <li key={grade}>
            <Link
              to={paths.courses(grade)}
              aria-current={current === grade ? 'page' : undefined}
              onClick={() => setIsOpen(false)}
            >
              {`Grade ${grade}`}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Calls back on a press outside an open element. */
function useOutsidePress(root: React.RefObject<HTMLElement | null>, isOpen: boolean, onPress: () => void) {
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) onPress();
    };
    document.addEventListener('pointerdown', listen);
    return () => document.removeEventListener('pointerdown', listen);
  });
}
