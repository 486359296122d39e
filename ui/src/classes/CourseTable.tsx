// The office's courses as a table, grouped by grade or sorted by a column.
import { Link } from 'react-router';
import type { CourseRow } from '../api-types.ts';
import { type Column, Table } from '../components/Table.tsx';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { CourseActions, type CourseActs } from './CourseActions.tsx';
import { readSort, type Sort, sorted, sortText } from './courseOrder.ts';
import { PriceCell, SeatsCell } from './QuickCells.tsx';
import './CourseTable.css';

type CourseTableProps = {
  courses: readonly CourseRow[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  acts: CourseActs;
};

export function CourseTable({ courses, sort, onSort, acts }: CourseTableProps) {
  const isByGrade = sort.by === 'grade';
  return (
    <Table
      labelledBy="all-courses"
      className="card course-table"
      columns={acts ? [...facts, seats(true), price, actions(acts)] : [...facts, seats(false), { ...price, cell: (course) => moneyText(course.price, 'Not set') }]}
      rows={isByGrade ? courses.toSorted((a, b) => (sort.isDescending ? b.grade - a.grade : a.grade - b.grade)) : sorted(courses, sort)}
      name={({ code }) => code}
      sort={{ current: sortText(sort) || 'grade', onSort: (text) => onSort(readSort(text)) }}
      {...(isByGrade && { group: byGrade })}
    />
  );
}

const byGrade = {
  key: ({ grade }: CourseRow) => String(grade),
  heading: (courses: readonly CourseRow[]) => (
    <><span>{`Grade ${courses[0]?.grade} `}</span><small>{courses.length === 1 ? '1 course' : `${courses.length} courses`}</small></>
  ),
};

const facts: Column<CourseRow>[] = [
  { label: 'Code', sort: 'code', from: 'tablet', cell: ({ code }) => code },
  {
    label: 'Course',
    sort: 'name',
    place: 'lead',
    cell: ({ id, name, isCompulsory, isOpen }) => (
      <>
        <Link to={officePaths.course(id)} dir="auto">{name}</Link>
        {isCompulsory && <small>{' Compulsory'}</small>}
        {!isOpen && <> <span className="badge tone-red">Closed</span></>}
      </>
    ),
    folded: ({ code }) => code,
  },
  { label: 'Grade', sort: 'grade', isNumber: true, from: 'desk', cell: ({ grade }) => grade },
  { label: 'Type', sort: 'type', from: 'tablet', cell: ({ courseType }) => courseType },
  { label: 'Credits', sort: 'credits', isNumber: true, from: 'desk', cell: ({ credits }) => credits },
  { label: 'Prerequisite', place: 'rest', from: 'desk', cell: ({ prerequisite }) => <bdi title={prerequisite ?? undefined}>{prerequisite || 'None'}</bdi> },
];

const seats = (mayChange: boolean): Column<CourseRow> => ({
  label: 'Peak seats', sort: 'seats', isNumber: true, from: 'tablet', cell: (course) => <SeatsCell course={course} mayChange={mayChange} />,
});

const price: Column<CourseRow> = { label: 'Price', sort: 'price', isNumber: true, from: 'tablet', cell: (course) => <PriceCell course={course} /> };

const actions = (acts: NonNullable<CourseActs>): Column<CourseRow> => ({
  label: 'Actions',
  place: 'action',
  cell: (course) => <CourseActions course={course} acts={acts} />,
});
