// The drawn crest: a shield with a northern star above an open book. `Seal` sets it in an
// engraved rosette, as on a diploma. Both are decoration; names stand beside them as text.
import './Crest.css';

export function Crest() {
  return (
    <svg className="crest" viewBox="0 0 96 112" aria-hidden="true" focusable="false">
      <path className="crest-field" d="M6 5h84v52c0 25-17 41-42 51C23 98 6 82 6 57Z" />
      <path d="M12 11h72v46c0 21.5-14 35-36 44.5C26 92 12 78.5 12 57Z" />
      <path d="M12 41h72" />
      <path className="crest-solid" d="m48 15 3.1 7.9L59 26l-7.9 3.1L48 37l-3.1-7.9L37 26l7.9-3.1Z" />
      <path className="crest-solid" d="m24 22.5 1.2 2.9 2.9 1.2-2.9 1.2L24 30.7l-1.2-2.9-2.9-1.2 2.9-1.2ZM72 22.5l1.2 2.9 2.9 1.2-2.9 1.2-1.2 2.9-1.2-2.9-2.9-1.2 2.9-1.2Z" />
      <path className="crest-solid" d="M48 57c-6.5-5-14-6.5-23-6v27c9-.5 16.5 1 23 6 6.5-5 14-6.5 23-6V51c-9-.5-16.5 1-23 6Z" />
      <path className="crest-fine" d="M48 57v27M30.5 58.5c4.5 0 8.5 1 12.5 3M30.5 65c4.5 0 8.5 1 12.5 3M30.5 71.5c4.5 0 8.5 1 12.5 3M65.5 58.5c-4.5 0-8.5 1-12.5 3M65.5 65c-4.5 0-8.5 1-12.5 3M65.5 71.5c-4.5 0-8.5 1-12.5 3" />
    </svg>
  );
}

/** Twenty-four turned ellipses: the fine interlaced lines of an engraved diploma. */
const turns = Array.from({ length: 24 }, (_, index) => index * 7.5);

export function Rosette() {
  return (
    <svg className="rosette" viewBox="-200 -200 400 400" aria-hidden="true" focusable="false">
      {turns.map((degrees) => (
        <ellipse key={degrees} rx="196" ry="104" transform={`rotate(${degrees})`} />
      ))}
      <circle r="198" />
      <circle r="101" />
    </svg>
  );
}

export function Seal() {
  return (
    <div className="seal screen-only" aria-hidden="true">
      <Rosette />
      <svg className="seal-ring" viewBox="-200 -200 400 400" focusable="false">
        <defs>
          <path id="seal-circle" d="M0 112a112 112 0 1 1 .01 0" />
        </defs>
        <circle r="134" />
        <circle r="130" />
        <circle r="100" />
        <text>
          <textPath href="#seal-circle" textLength="690">
            ✦ GRADE NINE ✦ GRADE TEN ✦ GRADE ELEVEN ✦ GRADE TWELVE
          </textPath>
        </text>
      </svg>
      <Crest />
    </div>
  );
}
