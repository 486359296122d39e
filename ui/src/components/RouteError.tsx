// The error page of a route that could not be loaded or rendered. Shows what was typed, so that it can be copied.
import { useEffect, useRef, useState } from 'react';
import { useRouteError } from 'react-router';
import { ApiError } from '../api.ts';
import { paths } from '../paths.ts';
import { claimReload } from '../upgrade.ts';
import './MessagePage.css';

const offline = 'Your device is offline. Please check your connection and try again.';
const otherwise = 'Something went wrong between the school’s server and your browser. Please try again.';

const fields = 'form :is(textarea, [type=text], [type=email], [type=tel])';

export function RouteError() {
  const error = useRouteError();
  const words = error instanceof ApiError && error.status === 0 ? error.detail : null;
  const heading = useRef<HTMLHeadingElement>(null);
  // Read before React removes the broken page; without passwords.
  const [typed] = useState(() => [...document.querySelectorAll<HTMLInputElement>(fields)].filter(({ value }) => value));

  useEffect(() => {
    if (!typed[0] && claimReload(error)) window.location.reload();
    else heading.current?.focus();
  }, [error, typed]);

  return (
    <section className="wrap message-page engraved">
      <h1 ref={heading} tabIndex={-1}>This page could not be loaded</h1>
      <p>{words ?? (navigator.onLine ? otherwise : offline)}</p>
      {typed[0] && <p>What you typed is not lost. Copy it before you continue:</p>}
      {typed.map(({ id, value }) => <p key={id} className="written" dir="auto">{value}</p>)}
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

/** The same without a frame, if the school could not be loaded. */
export function StartError() {
  return (
    <main>
      <RouteError />
    </main>
  );
}
