// A course's prerequisite, with the student's check.
import type { Course, PrerequisiteCheck } from '../api-types.ts';
import { prerequisiteText } from '../courses/catalogue.ts';
import { isOpenQuestion, namedPrerequisite, ownPrerequisite } from './prerequisites.ts';

type PrerequisiteProps = {
  course: Course;
  catalogue: readonly Course[];
  /** Undefined while loading. */
  check: PrerequisiteCheck | undefined;
};

export function Prerequisite({ course, catalogue, check }: PrerequisiteProps) {
  return (
    <span className={check && !isOpenQuestion(check) ? 'prerequisite is-met' : 'prerequisite'}>
      <span>{namedPrerequisite(prerequisiteText(course), catalogue)}</span>
      {check && <small>{` ${ownPrerequisite(check)}`}</small>}
    </span>
  );
}
