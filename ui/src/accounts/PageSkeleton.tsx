// A portal's page in its prerendered frame, shown until the session is known: the heading and placeholders, styled as
// those of the catalogue. Course Management shows a spinner while authentication loads (section 2).
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';

/** Headings that differ from the page's title. */
const headings: { [title: string]: string } = { 'Student Dashboard': 'Welcome' };

export function PageSkeleton({ area, title }: { area: 'student' | 'office'; title: string }) {
  return (
    <>
      <PageHead eyebrow={area === 'student' ? 'Student portal' : 'Office'} title={headings[title] ?? title} />
      {title === 'Course Management'
        ? <Spinner label="Loading courses..." />
        : (
          <div className="grid" aria-busy="true">
            {[1, 2, 3].map((place) => <div className="card stack offer skeleton is-wide" key={place}><i /><i /><i /><i /></div>)}
          </div>
        )}
    </>
  );
}
