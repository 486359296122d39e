// The crest in an engraved rosette: the home page's picture until the school uploads one.
import { Crest } from '../components/Crest.tsx';
import { Rosette } from '../components/Rosette.tsx';

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
