// The bar that says how far a course has come, with its percentage beside it.
import './enrollments.css';

type CourseProgressProps = { code: string; percent: number };

export function CourseProgress({ code, percent }: CourseProgressProps) {
  return (
    <div className="course-progress">
      <progress value={percent} max={100} aria-label={`Progress in ${code}`} />
      <span aria-hidden="true">{percent}%</span>
    </div>
  );
}
