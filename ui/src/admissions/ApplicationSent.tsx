// The confirmation of a sent application.
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';
import { isTemplate } from '../template.tsx';

export function ApplicationSent({ reference }: { reference: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!isTemplate) heading.current?.focus();
  }, []);

  return (
    <section className="wrap band" aria-labelledby="applied">
      <div className="card brass-edge applied centred">
        <SiteIcon name="check" />
        <h2 id="applied" ref={heading} tabIndex={-1}>We have your application</h2>
        <p>Your reference</p>
        <p className="reference"><strong>{reference}</strong></p>
        <p>An email is on its way with a link to your application. Use it to see where the application stands, to answer questions and to upload documents.</p>
        <p className="fine-print">Nothing there in a few minutes? Check the spam folder, or <Link to={paths.applicationLink}>ask for the link again</Link>.</p>
      </div>
    </section>
  );
}
