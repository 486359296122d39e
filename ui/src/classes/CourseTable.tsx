// The office's courses as a dense table, grouped by grade or sorted by a column. The roles are
// spelled out because a phone shows it as something else, which would lose its meaning.
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role
import { Link } from 'react-router';
import type { CourseRow, Grade } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { grades } from '../courses/grades.ts';
import { moneyText } from '../money.ts';
import { paths } from '../paths.ts';
import { CourseActions, type CourseActs } from './CourseActions.tsx';
import { type Order, orderAfterPress, type Sort, sorted } from './courseOrder.ts';
import { PriceCell, SeatsCell } from './QuickCells.tsx';
import '../components/Table.css';
import './CourseTable.css';

const headings: readonly { label: string; by?: Order; isNumber?: boolean }[] = [
  { label: 'Code', by: 'code' },
  { label: 'Course', by: 'name' },
  { label: 'Grade', by: 'grade', isNumber: true },
  { label: 'Type', by: 'type' },
  { label: 'Credits', by: 'credits', isNumber: true },
  { label: 'Prerequisite' },
  { label: 'Peak seats', by: 'seats', isNumber: true },
  { label: 'Price', by: 'price', isNumber: true },
];

type CourseTableProps = {
  courses: readonly CourseRow[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  acts: CourseActs;
};

export function CourseTable({ courses, sort, onSort, acts }: CourseTableProps) {
  const rows = (some: readonly CourseRow[]) => some.map((course) => <Row key={course.id} course={course} acts={acts} />);
  return (
    <table role="table" className="table table-dense table-folds course-table" aria-labelledby="all-courses">
      <thead role="rowgroup">
        <tr role="row">
          {headings.map((heading) => <Heading key={heading.label} {...heading} sort={sort} onSort={onSort} />)}
          {acts && <th role="columnheader" scope="col"><span className="sr-only">Actions</span></th>}
        </tr>
      </thead>
      {sort.by === 'grade'
        ? (sort.isDescending ? grades.toReversed() : grades).map((grade) => (
          <GradeGroup key={grade} grade={grade} courses={courses.filter((course) => course.grade === grade)}>{rows}</GradeGroup>
        ))
        : <tbody role="rowgroup">{rows(sorted(courses, sort))}</tbody>}
    </table>
  );
}

type HeadingProps = (typeof headings)[number] & Pick<CourseTableProps, 'sort' | 'onSort'>;

function Heading({ label, by, isNumber, sort, onSort }: HeadingProps) {
  const direction = by !== sort.by ? undefined : sort.isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" aria-sort={by && direction} className={isNumber ? 'number' : undefined}>
      {by ? <button type="button" onClick={() => onSort(orderAfterPress(sort, by))}>{label}</button> : label}
    </th>
  );
}

type GradeGroupProps = { grade: Grade; courses: readonly CourseRow[]; children: (courses: readonly CourseRow[]) => Elements };

function GradeGroup({ grade, courses, children }: GradeGroupProps) {
  if (courses.length === 0) return null;
  return (
    <tbody role="rowgroup">
      <tr role="row">
        <th role="rowheader" scope="rowgroup" colSpan={headings.length + 1}>
          <span>{`Grade ${grade} `}</span><small>{courses.length === 1 ? '1 course' : `${courses.length} courses`}</small>
        </th>
      </tr>
      {children(courses)}
    </tbody>
  );
}

function Row({ course, acts }: { course: CourseRow; acts: CourseActs }) {
  const { code, name, grade, courseType, credits, prerequisite, isCompulsory, isOpen } = course;
  return (
    <tr role="row" className="course-row">
      <td role="cell" data-label="Code">{code}</td>
      <td role="cell" data-label="Course">
        <Link to={paths.adminCourse(course.id)} dir="auto">{name}</Link>
        {isCompulsory && <em>Compulsory</em>}
        {!isOpen && <span className="badge tone-red">Closed</span>}
      </td>
      <td role="cell" data-label="Grade" className="number">{grade}</td>
      <td role="cell" data-label="Type">{courseType}</td>
      <td role="cell" data-label="Credits" className="number">{credits}</td>
      <td role="cell" data-label="Prerequisite" dir="auto">{prerequisite || 'None'}</td>
      <td role="cell" data-label="Peak seats" className="number"><SeatsCell course={course} mayChange={acts !== null} /></td>
      <td role="cell" data-label="Price" className="number">
        {acts ? <PriceCell course={course} /> : moneyText(course.price, 'Not set')}
      </td>
      {acts && <td role="cell" data-label="Actions"><CourseActions course={course} acts={acts} /></td>}
    </tr>
  );
}
