// What moves along with a term or a section, and what stays, before the dates are saved.
import { useQuery } from '@tanstack/react-query';
import type { OfficeSection, Term } from '../api-types.ts';
import { dateText } from '../dates.ts';
import type { components } from '../openapi.ts';
import { sectionPreviewQuery, termPreviewQuery } from './queries.ts';
import { emailsText, nameOf, studentsText } from './words.ts';

type Days = { startsOn: string; endsOn: string };

const isMove = (before: Days, { startsOn, endsOn }: Days) => startsOn !== '' && startsOn < endsOn && (startsOn !== before.startsOn || endsOn !== before.endsOn);

export function TermMove({ term, ...days }: { term: Term } & Days) {
  return isMove(term, days) ? <MovedTerm term={term} {...days} /> : null;
}

function MovedTerm({ term, startsOn, endsOn }: { term: Term } & Days) {
  // The last day to join may not be in the new term yet.
  const joinUntil = [startsOn, [term.joinUntil, endsOn].toSorted()[0] ?? endsOn].toSorted().at(-1) ?? startsOn;
  const { data, isError } = useQuery(termPreviewQuery(term, { startsOn, endsOn, joinUntil }));
  if (isError) return <p role="alert">What moves along could not be computed.</p>;
  if (!data) return <p role="status">Looking for what moves along...</p>;
  const { moving, staying, told, emails } = data;
  return (
    <dl className="pairs tinted what-moves" role="status">
      <div>
        <dt>Moves along</dt>
        <dd>{moving.length === 0 ? 'No section has the term’s own dates.' : <Rows rows={moving} words={movingText} />}</dd>
      </div>
      {staying.length > 0 && <div><dt>Stays</dt><dd><Rows rows={staying} words={stayingText} /></dd></div>}
      <div><dt>Emails</dt><dd>{told === 0 ? 'None.' : `${studentsText(told)} ${told === 1 ? 'is' : 'are'} told${emailsText(emails, told)}. You can undo it for a minute.`}</dd></div>
    </dl>
  );
}

type Row = components['schemas']['TermSection'];

const enrollmentsText = (count: number) => (count === 1 ? '1 enrollment' : `${count} enrollments`);

/** "3 enrollments, 1 of which keeps dates of its own". */
function movingText({ enrollments, moved }: Row): string {
  if (enrollments === 0) return 'no enrollments';
  const kept = enrollments - moved;
  return `${enrollmentsText(enrollments)}${kept === 0 ? '' : kept === 1 ? ', 1 of which keeps its own dates' : `, ${kept} of which keep their own dates`}`;
}

const stayingText = ({ startsOn, endsOn, enrollments }: Row) =>
  `${dateText(startsOn, '')} – ${dateText(endsOn, '')}, ${enrollments === 0 ? 'no enrollments' : enrollmentsText(enrollments)}`;

const Rows = ({ rows, words }: { rows: readonly Row[]; words: (row: Row) => string }) => (
  <ul>{rows.map((row) => <li key={row.id}><strong>{nameOf(row)}</strong> <span>{words(row)}</span></li>)}</ul>
);

export function SectionMove({ section, ...days }: { section: OfficeSection } & Days) {
  return isMove(section, days) ? <MovedSection section={section} {...days} /> : null;
}

function MovedSection({ section, startsOn, endsOn }: { section: OfficeSection } & Days) {
  const { data, isError } = useQuery(sectionPreviewQuery(section, { startsOn, endsOn }));
  if (isError) return <p role="alert">What moves along could not be computed.</p>;
  if (!data) return <p role="status">Looking for what moves along...</p>;
  const { moved, kept, told, emails } = data;
  const stays = kept === 0 ? '' : kept === 1 ? ' 1 keeps its own dates.' : ` ${kept} keep their own dates.`;
  return (
    <p className="tinted what-moves" role="status">
      {moved + kept === 0 ? 'It has no enrollments.' : `${enrollmentsText(moved)} ${moved === 1 ? 'moves' : 'move'} along.${stays} ${studentsText(told)} ${told === 1 ? 'is' : 'are'} told${emailsText(emails, told)}.`}
    </p>
  );
}
