// The frame of every public page: notice, header, page, footer.
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { useSchool } from '../school/queries.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { SampleNotice } from './SampleNotice.tsx';
import { useArrival } from './useArrival.ts';

export function PublicLayout() {
  const school = useSchool();
  const isLoading = useNavigation().state !== 'idle';
  useArrival(school);

  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      {isLoading && <div className="loading-bar" role="progressbar" aria-label="Loading the page" />}
      <SampleNotice school={school} />
      <Header school={school} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer school={school} />
      <ScrollRestoration />
    </>
  );
}
