// Placeholders of loading courses.
import './CourseCard.css';

/** As many placeholders as section 9 specifies, in a list of the same layout. */
export function CourseSkeletons({ count, list = 'grid offers' }: { count: number; list?: string }) {
  return (
    <ul className={list} aria-label="Loading courses" aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <li className="card stack offer skeleton" key={index}>
          <i /><i /><i /><i />
        </li>
      ))}
    </ul>
  );
}
