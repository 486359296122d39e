// Stands at every student address until the student portal is built.
import { Link } from 'react-router';
import { NoIndex } from '../components/NoIndex.tsx';
import { paths } from '../paths.ts';

export function StudentPortalPage() {
  return (
    <section className="wrap message-page">
      <NoIndex />
      <h1>Student accounts open here soon</h1>
      <p>Until then the office takes enrollments and questions by message, by telephone and by email.</p>
      <p className="actions">
        <Link className="button button-primary" to={paths.contact('admission')}>Contact the Office</Link>
        <Link className="button button-outline" to={paths.courses()}>Back to the Courses</Link>
      </p>
    </section>
  );
}
