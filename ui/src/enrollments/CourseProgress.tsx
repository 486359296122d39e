// The progress bar of a course, with its percentage.
import '../components/Progress.css';

type CourseProgressProps = {
  code: string;
  percent: number;
  /** Not approved yet: shows the progress it would have. */
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
