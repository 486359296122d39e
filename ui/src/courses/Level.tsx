// What a course prepares for, as the coloured letter of its code: the decision that a family makes first.
// The words stand beside it; the letter teaches the code.
import type { Course, CourseType } from '../api-types.ts';
import { letters } from './courseCode.ts';
import './Level.css';

const tones = {
  Academic: 'blue', Applied: 'green', Open: 'plain', University: 'blue', 'University/College': 'brass', College: 'green', Workplace: 'yellow',
} satisfies Record<CourseType, string>;

type LevelProps = { course: Pick<Course, 'code' | 'courseType'> };

export function LevelLetter({ course: { code, courseType } }: LevelProps) {
  // A code of the school's own says nothing: its type has a letter all the same.
  const own = code.charAt(4);
  const letter = letters[courseType].includes(own) && own ? own : letters[courseType].charAt(0);
  return <span className={`level level-${tones[courseType]}`} aria-hidden="true">{letter}</span>;
}
