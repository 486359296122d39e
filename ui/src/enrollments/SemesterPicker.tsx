// The choice of a published semester, or of other dates in the two fields below.
import type { OfferedSemester } from '../api-types.ts';
import { today } from '../dates.ts';
import { datesOf, type EnrollmentDates, usualDates } from './schema.ts';

type SemesterPickerProps = {
  semesters: readonly OfferedSemester[];
  chosen: EnrollmentDates;
  onChoose: (dates: EnrollmentDates) => void;
};

export function SemesterPicker({ semesters, chosen, onChoose }: SemesterPickerProps) {
  if (semesters.length === 0) return null;
  const isChosen = ({ startDate, endDate }: EnrollmentDates) => startDate === chosen.startDate && endDate === chosen.endDate;
  const option = (name: string, about: string, isChecked: boolean, dates: () => EnrollmentDates) => (
    <label key={name}>
      <input className="cover" type="radio" name="semester" checked={isChecked} onChange={() => onChoose(dates())} />
      <strong>{name}</strong>
      <small>{about}</small>
    </label>
  );
  return (
    <fieldset className="grid semesters">
      <legend className="semesters-legend">Semester</legend>
      {semesters.map((semester) => option(semester.name, semester.whenText, isChosen(semester), () => datesOf(semester)))}
      {option('Other dates', 'as you choose below', !semesters.some(isChosen), () => usualDates(today()))}
    </fieldset>
  );
}
