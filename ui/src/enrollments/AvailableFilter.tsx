// Narrows the available courses: by grade, and by words of a name or code.
import type { Ref } from 'react';
import { SearchBox } from '../components/SearchBox.tsx';
import { grades } from '../courses/grades.ts';
import type { AvailableView } from './useAvailableView.ts';

type AvailableFilterProps = {
  view: AvailableView;
  searchRef: Ref<HTMLInputElement>;
  onChoose: (change: Partial<AvailableView>) => void;
};

export function AvailableFilter({ view, searchRef, onChoose }: AvailableFilterProps) {
  return (
    <search className="row available-filter">
      <fieldset className="choices">
        <legend>Grade</legend>
        {[null, ...grades].map((grade) => (
          <label key={grade}>
            <input
              className="cover"
              type="radio"
              name="grade"
              checked={view.grade === grade}
              onChange={() => onChoose({ grade })}
            />
            {grade ?? 'All'}
          </label>
        ))}
      </fieldset>
      <SearchBox ref={searchRef} label="Search by name or code..." value={view.q} onChange={(q) => onChoose({ q })} />
    </search>
  );
}
