// Stands at every office address until the office's screens are built.
import { Link } from 'react-router';
import { NoIndex } from '../components/NoIndex.tsx';
import { paths } from '../paths.ts';

export function AdminPortalPage() {
  return (
    <section className="wrap message-page">
      <NoIndex />
      <h1>The office’s screens are not part of this release</h1>
      <p>Staff accounts can be prepared on the server; signing in follows in a later release.</p>
      <p className="actions">
        <Link className="button button-outline" to={paths.home}>Back to the Home Page</Link>
      </p>
    </section>
  );
}
