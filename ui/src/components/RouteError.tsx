// Shown in place of a page that could not be loaded or drawn: says so and offers ways on.
import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { ApiError } from '../api.ts';
import { paths } from '../paths.ts';
import { claimReload } from '../upgrade.ts';
import './MessagePage.css';

const offline = 'Your device is offline. Please check your connection and try again.';
const otherwise = 'Something went wrong between the school’s server and your browser. Please try again.';

export function RouteError() {
  const error = useRouteError();
  const words = error instanceof ApiError && error.status === 0 ? error.detail : null;
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (claimReload(error)) window.location.reload();
    else heading.current?.focus();
  }, [error]);

  return (
    <section className="wrap message-page engraved">
      <h1 ref={heading} tabIndex={-1}>This page could not be loaded</h1>
      <p>{words ?? (navigator.onLine ? otherwise : offline)}</p>
      <p className="cluster">
        <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
          Try Again
        </button>
        {/* Not a link of the app: whatever broke is left behind. */}
        <a className="button button-outline" href={paths.home}>Back to the Home Page</a>
      </p>
    </section>
  );
}

/** The same without the frame around it: when not even the school's name could be loaded. */
export function StartError() {
  return (
    <main>
      <RouteError />
    </main>
  );
}
