// The frame of public pages: notice, header, page, footer.
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { LoadingBar } from '../components/LoadingBar.tsx';
import { scrollKey } from '../components/scrollKey.ts';
import { useSchool } from '../school/queries.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { SampleNotice } from './SampleNotice.tsx';
import { useArrival } from './useArrival.ts';

export function PublicLayout() {
  const school = useSchool();
  useArrival(school);
  // The office's login has no visitor menu.
  const isQuiet = useLocation().pathname.startsWith('/admin');

  return (
    <>
      {/* An announcement may stand before it, with a link of its own: a landmark makes it findable there. */}
      <nav aria-label="Skip">
        <a className="skip-link" href="#main">Skip to the content</a>
      </nav>
      {!isQuiet && <SampleNotice school={school} />}
      {!isQuiet && <Header school={school} />}
      <main id="main" tabIndex={-1}>
        <LoadingBar />
        <Outlet />
      </main>
      {!isQuiet && <Footer school={school} />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
