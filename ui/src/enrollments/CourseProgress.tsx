// The bar that says how far a course has come, with its percentage beside it.
import './enrollments.css';

type CourseProgressProps = {
  code: string;
  percent: number;
  /** Nobody has approved it: where it would stand, and not where it is. */
  isTentative: boolean;
};

export function CourseProgress({ code, percent, isTentative }: CourseProgressProps) {
  return (
    <div className={`course-progress ${isTentative ? 'is-tentative' : ''}`}>
      <progress value={percent} max={100} aria-label={`Progress in ${code}${isTentative ? ', if it is approved' : ''}`} />
      <span aria-hidden="true"><span>{`${percent}%`}</span>{isTentative && <small>if approved</small>}</span>
    </div>
  );
}
