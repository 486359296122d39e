// The credit count toward the diploma, with credits from other schools.
import type { OwnCredits } from '../api-types.ts';
import { dateText } from '../dates.ts';
import { creditsLine, diploma_credits, totalCredits } from './credits.ts';

export function CreditsTally({ credits: { sum, external } }: { credits: OwnCredits }) {
  return (
    <div className="cluster credits-tally">
      <progress value={Math.min(totalCredits(sum), diploma_credits)} max={diploma_credits} aria-label="Credits toward the diploma" />
      <p>
        <span>{`${creditsLine(sum)}. `}</span>
        {external.length === 0 && <small>Credits from another school count too: the office adds them.</small>}
      </p>
      {external.length > 0 && (
        <details>
          <summary>From other schools</summary>
          <ul>
            {external.map(({ id, code, name, credits, mark, completedOn, school }) => (
              <li key={id}>
                <strong dir="auto">{`${code} ${name}`}</strong>
                <span dir="auto">{`, ${credits} ${credits === 1 ? 'credit' : 'credits'}, ${mark === null ? '' : `mark ${mark}, `}${dateText(completedOn, '')}, ${school}`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
