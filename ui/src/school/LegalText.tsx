// The frame of the two legal pages: numbered sections, a table of contents, the date.
import type { Elements } from '../components/elements.ts';
import { PageHeader } from '../components/PageHeader.tsx';
import './bands.css';
import './LegalPage.css';

/** Both texts carry this date (specification, section 2). */
const lastUpdated = 'June 1, 2023';

export type LegalSection = { id: string; title: string; text: Elements };

type LegalTextProps = { title: string; lead: string; sections: LegalSection[] };

export function LegalText({ title, lead, sections }: LegalTextProps) {
  return (
    <>
      <PageHeader eyebrow={`Last updated ${lastUpdated}`} title={title}>{lead}</PageHeader>
      <div className="wrap band split legal">
        <nav aria-labelledby="contents">
          <p id="contents" className="serif">On this page</p>
          <ol>
            {sections.map(({ id, title: name }) => (
              <li key={id}><a href={`#${id}`}>{name}</a></li>
            ))}
          </ol>
          <button type="button" className="button button-quiet" onClick={() => window.print()}>Print</button>
        </nav>
        <div className="prose">
          {sections.map(({ id, title: name, text }, index) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{`${index + 1}. ${name}`}</h2>
              {text}
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
