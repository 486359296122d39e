// Shown in place of a page that could not be loaded or drawn: says so and offers to try again.
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { ApiError } from '../api.ts';
import { claimReload } from '../upgrade.ts';

export function RouteError() {
  const error = useRouteError();
  const words = error instanceof ApiError && error.status === 0 ? error.detail : null;
  const otherwise = 'Something went wrong between the school’s server and your browser. Please try again.';

  useEffect(() => {
    if (claimReload(error)) window.location.reload();
  }, [error]);

  return (
    <section className="wrap message-page">
      <h1>This page could not be loaded</h1>
      <p>{words ?? otherwise}</p>
      <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
        Try Again
      </button>
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
