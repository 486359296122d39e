// What a course asks for in words, with what the student already has.
import { Fragment } from 'react';
import type { Course, Enrollment } from '../api-types.ts';
import { prerequisiteParts, stateOfPrerequisite } from './prerequisites.ts';

type PrerequisiteProps = { course: Course; catalogue: readonly Course[]; enrollments: readonly Enrollment[] };

export function Prerequisite({ course, catalogue, enrollments }: PrerequisiteProps) {
  const parts = prerequisiteParts(course, catalogue, enrollments);
  return parts.map((part) =>
    'text' in part ? <Fragment key={part.at}>{part.text}</Fragment> : (
      <span key={part.at} className={`prerequisite is-${part.state}`}>
        <span>{`${part.name ? `${part.name} (${part.code})` : part.code} `}</span><small>{stateOfPrerequisite[part.state]}</small>
      </span>
    ),
  );
}
