// A portal's page in its prerendered frame: the heading and placeholders, styled as those of the catalogue.
import { PageHead } from '../components/PageHead.tsx';

/** Headings that differ from the page's title. */
const headings: { [title: string]: string } = { 'Student Dashboard': 'Welcome' };

export function PageSkeleton({ area, title }: { area: 'student' | 'office'; title: string }) {
  return (
    <>
      <PageHead eyebrow={area === 'student' ? 'Student portal' : 'Office'} title={headings[title] ?? title} />
      <div className="grid" aria-busy="true">
        {[1, 2, 3].map((place) => <div className="card stack offer skeleton is-wide" key={place}><i /><i /><i /><i /></div>)}
      </div>
    </>
  );
}
