// Search, grade filter and view of the office's courses, with their count.
import type { OfficeCourse } from '../api-types.ts';
import { SegmentedControl } from '../components/SegmentedControl.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { grades, readGrade } from '../courses/grades.ts';
import { type CourseLook, coursesInView, type ManagedView, type useManagedView } from './useManagedView.ts';

const gradeOptions = [
  { value: '', label: 'All grades' },
  ...grades.map((grade) => ({ value: String(grade), label: `Grade ${grade}` })),
];

const lookOptions = [
  { value: 'table', label: 'Table' },
  { value: 'cards', label: 'Cards' },
  { value: 'archived', label: 'Archived' },
] as const satisfies readonly { value: CourseLook; label: string }[];

type CourseToolsProps = Pick<ReturnType<typeof useManagedView>, 'view' | 'search' | 'showGrade' | 'showLook'>;

export function CourseTools({ view, search, showGrade, showLook }: CourseToolsProps) {
  return (
    <div className="list-tools">
      <SearchBox label="Search courses..." value={view.q} onChange={search} />
      <FilterSelect
        label="Grade"
        options={gradeOptions}
        value={String(view.grade ?? '')}
        onChange={(value) => showGrade(readGrade(value))}
      />
      <SegmentedControl label="Show courses as" options={lookOptions} value={view.look} onChange={showLook} />
    </div>
  );
}

/** "158 courses", "12 of 158 courses". */
export function countText(courses: readonly OfficeCourse[], view: ManagedView): string {
  const [shown, all] = [coursesInView(courses, view).length, courses.length];
  const words = all === 1 ? '1 course' : `${all} courses`;
  return shown === all ? words : `${shown} of ${words}`;
}
