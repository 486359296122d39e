// Fills the two dates of a request with those of a semester; the dates stay to be changed.
import type { Semester } from '../api-types.ts';
import { dateText } from '../dates.ts';
import type { EnrollmentDates } from './schema.ts';

type SemesterPickerProps = { semesters: readonly Semester[]; chosen: EnrollmentDates; onChoose: (semester: Semester) => void };

export function SemesterPicker({ semesters, chosen, onChoose }: SemesterPickerProps) {
  if (semesters.length === 0) return null;
  const isChosen = ({ startDate, endDate }: Semester) => startDate === chosen.startDate && endDate === chosen.endDate;
  return (
    <fieldset className="grid semesters">
      <legend className="semesters-legend">Semester</legend>
      {semesters.map((semester) => (
        <label key={semester.name}>
          <input className="cover" type="radio" name="semester" checked={isChosen(semester)} onChange={() => onChoose(semester)} />
          <strong>{semester.name}</strong>
          <small>{`from ${dateText(semester.startDate, '')}`}</small>
        </label>
      ))}
      {!semesters.some(isChosen) && <p className="field-hint">Your own dates, as below.</p>}
    </fieldset>
  );
}
