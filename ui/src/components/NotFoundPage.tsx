// The 404 page.
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { NoIndex } from './NoIndex.tsx';
import { Rosette } from './Rosette.tsx';
import './MessagePage.css';

export function NotFoundPage() {
  return (
    <section className="wrap message-page engraved">
      <NoIndex />
      <Rosette />
      <h1>404 Page Not Found</h1>
      <p>There is no page at this address. It may have moved, or the link may have a typing mistake.</p>
      {import.meta.env.DEV && <p>Did you forget to add the page to the router?</p>}
      <p className="cluster">
        <Link className="button button-primary" to={paths.home}>Go to the Home Page</Link>
        <Link className="button button-outline" to={paths.courses()}>See the Courses</Link>
        <Link className="button button-outline" to={paths.contact()}>Contact Us</Link>
      </p>
    </section>
  );
}
