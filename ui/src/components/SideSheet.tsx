// The menu on small screens: a native modal dialog at the side, with the header's items.
import { type MouseEvent, type RefObject, useId } from 'react';
import { Link, NavLink } from 'react-router';
import { grades } from '../courses/grades.ts';
import { paths } from '../paths.ts';
import { Icon } from './Icon.tsx';

export function SideSheet({ ref }: { ref: RefObject<HTMLDialogElement | null> }) {
  const titleId = useId();
  const close = () => ref.current?.close();

  function closeOnBackdropOrLink(event: MouseEvent<HTMLDialogElement>) {
    const target = event.target as Element;
    if (target === event.currentTarget || target.closest('a')) close();
  }

  return (
    // Esc closes a native dialog by itself; the listener is for the pointer only.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog className="sheet" ref={ref} aria-labelledby={titleId} onClick={closeOnBackdropOrLink}>
      <div className="sheet-body">
        <div className="sheet-head">
          <h2 id={titleId}>Menu</h2>
          <button type="button" className="icon-button" aria-label="Close menu" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <nav aria-label="Menu">
          <ul>
            <li><NavLink to={paths.home} end>Home</NavLink></li>
            <li><NavLink to={paths.about}>About Us</NavLink></li>
            <li><NavLink to={paths.services}>Our Services</NavLink></li>
            <li>
              <span className="sheet-group">Courses</span>
              <ul className="sheet-grades">
                {grades.map((grade) => (
                  <li key={grade}><Link to={paths.courses(grade)}>Grade {grade}</Link></li>
                ))}
              </ul>
            </li>
            <li><NavLink to={paths.contact()}>Contact</NavLink></li>
          </ul>
          <Link className="button button-primary" to={paths.studentAuth}>Student Login</Link>
        </nav>
      </div>
    </dialog>
  );
}
