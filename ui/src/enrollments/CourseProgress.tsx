// The bar that says how far a course has come, with its percentage beside it.
import '../components/Progress.css';

type CourseProgressProps = {
  code: string;
  percent: number;
  /** Nobody has approved it: where it would stand, and not where it is. */
  isTentative: boolean;
};

export function CourseProgress({ code, percent, isTentative }: CourseProgressProps) {
  return (
    <div className={`progress ${isTentative ? 'is-tentative' : ''}`}>
      <progress value={percent} max={100} aria-label={`Progress in ${code}${isTentative ? ', if it is approved' : ''}`} />
      <span aria-hidden="true"><span>{`${percent}%`}</span>{isTentative && <small>if approved</small>}</span>
    </div>
  );
}
