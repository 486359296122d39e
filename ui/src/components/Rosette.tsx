// The engraved rosette behind single-card pages.
import './Crest.css';

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
