// The parts of a fee in a list of facts, each with its day.
import { moneyText } from '../money.ts';
import { partDay, partName } from './partWords.ts';
import type { FeePart } from './wire.ts';

/** `more`: what else is said of a deposit. A single part is the fee itself, and shows its day alone. */
export function FeeParts({ parts, more }: { parts: readonly FeePart[]; more?: string | undefined }) {
  if (parts.length === 1 && parts[0]?.item !== 'deposit') return <>{parts.map((part) => part.dueOn && <div key="fee"><dt>Fee due</dt><dd>{partDay(part).replace('due ', '')}</dd></div>)}</>;
  return (
    <>
      {parts.map((part) => (
        <div key={`${part.item} ${part.dueOn ?? ''}`}>
          <dt>{partName(part, parts)}</dt>
          <dd><span>{moneyText(part.amount, '–')}</span><small>{partDay(part)}</small>{more && part.item === 'deposit' && <small>{more}</small>}</dd>
        </div>
      ))}
    </>
  );
}
