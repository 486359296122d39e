// Filters of the available courses: grade and search, then subject and level.
import type { Ref } from 'react';
import type { CourseType, Grade } from '../api-types.ts';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { grades } from '../courses/grades.ts';
import type { AvailableCourses } from './available.ts';
import type { AvailableView } from './useAvailableView.ts';
import '../components/Chips.css';

type AvailableFilterProps = {
  view: AvailableView;
  /** The grade shown, selected or by default. */
  grade: Grade | null;
  /** Undefined while loading. */
  offer: AvailableCourses | undefined;
  searchRef: Ref<HTMLInputElement>;
  onChoose: (change: Partial<AvailableView>) => void;
};

export function AvailableFilter({ view, grade: shown, offer, searchRef, onChoose }: AvailableFilterProps) {
  return (
    <search className="available-filter">
      <div className="cluster available-choices">
        <fieldset className="choice">
          <legend>Grade</legend>
          {[null, ...grades].map((grade) => (
            <label key={grade}>
              <input
                className="cover"
                type="radio"
                name="grade"
                checked={shown === grade}
                onChange={() => onChoose({ grade, subject: null, level: null })}
              />
              <span>{grade ?? 'All'}</span>
            </label>
          ))}
        </fieldset>
        {offer && <LevelSelect view={view} offer={offer} onChoose={onChoose} />}
        <SearchBox ref={searchRef} label="Search by name or code..." value={view.q} onChange={(q) => onChoose({ q })} />
      </div>
      {offer && <SubjectChips view={view} offer={offer} onChoose={onChoose} />}
    </search>
  );
}

type NarrowerProps = Pick<AvailableFilterProps, 'view' | 'onChoose'> & { offer: AvailableCourses };

/** Only if there is a choice. */
function LevelSelect({ view, offer: { levels }, onChoose }: NarrowerProps) {
  if (levels.length < 2 && !view.level) return null;
  return (
    <FilterSelect
      label="Level"
      options={[{ value: '', label: 'All levels' }, ...levels.map(({ level, count }) => ({ value: level, label: `${level} (${count})` }))]}
      value={view.level ?? ''}
      onChange={(value) => onChoose({ level: (value || null) as CourseType | null })}
    />
  );
}

/** Likewise. */
function SubjectChips({ view, offer: { subjects }, onChoose }: NarrowerProps) {
  if (subjects.length < 2 && !view.subject) return null;
  const all = subjects.reduce((sum, { count }) => sum + count, 0);
  const chips = [{ subject: null, count: all }, ...subjects];
  return (
    <ul className="chips" aria-label="Subject">
      {chips.map(({ subject, count }) => (
        <li key={subject}>
          <button type="button" aria-pressed={view.subject === subject} onClick={() => onChoose({ subject })}>
            <span>{`${subject ?? 'All subjects'} `}</span><small>{count}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}
