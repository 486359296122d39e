// What a course asks for, in words, with what the student has of it.
import type { Course, PrerequisiteCheck } from '../api-types.ts';
import { prerequisiteText } from '../courses/catalogue.ts';
import { isOpenQuestion, namedPrerequisite, ownPrerequisite } from './prerequisites.ts';

type PrerequisiteProps = {
  course: Course;
  catalogue: readonly Course[];
  /** None while it is not known. */
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
