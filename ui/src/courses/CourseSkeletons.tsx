// What stands in the place of courses while they load.
import './CourseCard.css';

/** Placeholders while the courses load: as many as section 9 asks for, in the cards' own grid. */
export function CourseSkeletons({ count }: { count: number }) {
  return (
    <ul className={count > 3 ? 'grid offers' : 'split offers thirds'} aria-label="Loading courses" aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <li className="card stack offer skeleton" key={index}>
          <i /><i /><i /><i />
        </li>
      ))}
    </ul>
  );
}
