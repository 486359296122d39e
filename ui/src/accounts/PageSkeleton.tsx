// A portal's page in its prerendered frame, shown until the session is known: the heading and placeholders, styled as
// those of the catalogue. Course Management shows a spinner while authentication loads (section 2).
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { at, type PagePath } from '../pages.ts';

/** Headings that differ from the page's title. */
const headings: { [title: string]: string } = { 'Student Dashboard': 'Welcome' };

const spinners: { [path in PagePath]?: string } = { [at('/admin/courses')]: 'Loading courses...' };

export function PageSkeleton({ area, path, title }: { area: 'student' | 'office'; path: PagePath; title: string }) {
  const spinner = spinners[path];
  return (
    <>
      <PageHead eyebrow={area === 'student' ? 'Student portal' : 'Office'} title={headings[title] ?? title} />
      {spinner ? <Spinner label={spinner} /> : (
        <div className="grid" aria-busy="true">
          {[1, 2, 3].map((place) => <div className="card stack offer skeleton is-wide" key={place}><i /><i /><i /><i /></div>)}
        </div>
      )}
    </>
  );
}
