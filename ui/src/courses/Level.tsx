// A course's level as the coloured letter of its code, beside its name.
import type { CourseLevel } from '../api-types.ts';
import './Level.css';

export function LevelLetter({ letter }: { letter: CourseLevel | '' }) {
  return <span className="level" data-level={letter} aria-hidden="true">{letter}</span>;
}
