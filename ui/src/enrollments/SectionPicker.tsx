// The choice of a course's section in a request: hours at the school and here, price, seats, late entry.
import type { OfferedSection } from '../api-types.ts';
import { SectionHours } from '../courses/SectionHours.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { seatsWords, stateWords } from './sectionWords.ts';

type SectionPickerProps = {
  sections: readonly OfferedSection[];
  chosen: number | null;
  /** The school's date. */
  day: string;
  /** Whether the student completed the course here. */
  hasCompleted: boolean;
  field: { id: string; error: string | undefined };
  onChoose: (section: OfferedSection) => void;
};

export function SectionPicker({ sections, chosen, day, hasCompleted, field, onChoose }: SectionPickerProps) {
  return (
    <fieldset className="grid semesters section-choices" aria-describedby={field.error ? `${field.id}-error` : undefined}>
      <legend className="semesters-legend">Class</legend>
      {sections.map((section, at) => {
        const { id, term, startsOn, endsOn, teacherName, price } = section;
        const state = stateWords(section, day, hasCompleted);
        return (
          <label key={id}>
            <input
              className="cover"
              type="radio"
              name="section"
              id={at === 0 ? field.id : undefined}
              checked={id === chosen}
              disabled={!section.isOpen}
              onChange={() => onChoose(section)}
            />
            <SectionHours section={{ ...section, termName: term?.name ?? null }} startsOn={startsOn} endsOn={endsOn} />
            <small dir="auto">{[`${dateText(startsOn, '')} – ${dateText(endsOn, '')}`, teacherName, moneyText(price, 'Ask the office'), seatsWords(section)].filter(Boolean).join(' · ')}</small>
            {state && <small className="flag">{state}</small>}
          </label>
        );
      })}
      {field.error && <p className="field-error" id={`${field.id}-error`}>{field.error}</p>}
    </fieldset>
  );
}
