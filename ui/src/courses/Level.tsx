// What a course prepares for, as the coloured letter of its code: the decision that a family makes first.
// The words stand beside it; the letter teaches the code.
import type { CourseLevel } from '../api-types.ts';
import './Level.css';

export function LevelLetter({ letter }: { letter: CourseLevel | '' }) {
  return <span className="level" data-level={letter} aria-hidden="true">{letter}</span>;
}
