// The frame of a text: numbered sections and a table of contents. What stands in a section the server has drawn.
import type { SchoolText } from '../api-types.ts';
import { Each, When } from '../template.tsx';
import './bands.css';
import './LegalPage.css';

export function LegalText({ sections }: Pick<SchoolText, 'sections'>) {
  return (
    <div className="wrap band split legal">
      <nav aria-label="On this page">
        <When is={sections.filter(({ name }) => name).length > 1} template="text.has_contents">
          <p className="serif">On this page</p>
          <ol>
            <Each of={sections.filter(({ name }) => name)} template="section in text.sections if section.name">
              {({ id, name }) => <li key={id}><a href={`#${id}`}>{name}</a></li>}
            </Each>
          </ol>
        </When>
        <button type="button" className="button button-quiet" onClick={() => window.print()}>Print</button>
      </nav>
      <div className="prose">
        <Each of={sections} template="section in text.sections">
          {({ id, name, heading, html }) => (
            <When key={id} is={name} template="section.name" otherwise={<div dangerouslySetInnerHTML={{ __html: html }} />}>
              <section aria-labelledby={id}>
                <h2 id={id}>{heading}</h2>
                <div dangerouslySetInnerHTML={{ __html: html }} />
              </section>
            </When>
          )}
        </Each>
      </div>
    </div>
  );
}
