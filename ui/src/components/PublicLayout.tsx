// The frame of every public page: notice, header, page, footer.
import { Outlet, ScrollRestoration } from 'react-router';
import { useSchool } from '../school/queries.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { LoadingBar } from './LoadingBar.tsx';
import { SampleNotice } from './SampleNotice.tsx';
import { scrollKey } from './scrollKey.ts';
import { useArrival } from './useArrival.ts';

export function PublicLayout() {
  const school = useSchool();
  useArrival(school);

  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <SampleNotice school={school} />
      <Header school={school} />
      <main id="main" tabIndex={-1}>
        <LoadingBar />
        <Outlet />
      </main>
      <Footer school={school} />
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
