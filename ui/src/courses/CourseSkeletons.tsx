// Placeholders of loading courses.
import './CourseCard.css';

/** As many placeholder cards as section 9 specifies. */
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
