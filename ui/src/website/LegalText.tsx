// A legal text: numbered sections with a table of contents.
import { Fragment } from 'react';
import type { SchoolText } from '../api-types.ts';
import { Each, When } from '../template.tsx';
import '../components/bands.css';
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
          {({ id, name, heading, blocks }) => (
            <When key={id} is={name} template="section.name" otherwise={<Blocks blocks={blocks} />}>
              <section aria-labelledby={id}>
                <h2 id={id}>{heading}</h2>
                <Blocks blocks={blocks} />
              </section>
            </When>
          )}
        </Each>
      </div>
    </div>
  );
}

type Block = SchoolText['sections'][number]['blocks'][number];

function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <div>
      <Each of={blocks} template="block in section.blocks">
        {({ isList, lines }) => (
          <When key={JSON.stringify(lines)} is={isList} template="block.isList" otherwise={<Paragraph lines={lines} />}>
            <ul>
              <Each of={lines} template="line in block.lines">
                {(line) => <li key={lines.indexOf(line)}><Line line={line} /></li>}
              </Each>
            </ul>
          </When>
        )}
      </Each>
    </div>
  );
}

function Paragraph({ lines }: Pick<Block, 'lines'>) {
  return (
    <p>
      <Each of={lines} template="line in block.lines">
        {(line) => (
          <Fragment key={lines.indexOf(line)}>
            <When is={lines.indexOf(line) > 0} template="not loop.first"><br /></When>
            <Line line={line} />
          </Fragment>
        )}
      </Each>
    </p>
  );
}

function Line({ line }: { line: Block['lines'][number] }) {
  return (
    <Each of={line} template="part in line">
      {(part) => (
        <When
          key={line.indexOf(part)}
          is={part.to}
          template="part.to"
          otherwise={<When is={part.isStrong} template="part.isStrong" otherwise={<span>{part.words}</span>}><strong>{part.words}</strong></When>}
        >
          <a href={part.to ?? ''}>{part.words}</a>
        </When>
      )}
    </Each>
  );
}
