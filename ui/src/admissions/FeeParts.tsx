// The parts of a fee in a list of facts, as the offer promises them and the ledger has them.
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import type { FeePart } from './wire.ts';

export function FeeParts({ parts }: { parts: readonly FeePart[] }) {
  return parts.map(({ item, amount, dueOn }) => {
    const isDeposit = item === 'deposit';
    const day = dateText(dueOn, isDeposit ? 'on acceptance' : '–');
    return (
      <div key={`${item}${day}`}>
        <dt>{isDeposit ? 'Deposit' : parts[1] ? 'Rest of the fee' : 'Fee due'}</dt>
        <dd><span>{moneyText(amount, '')}</span><small>{`due ${day}`}</small></dd>
      </div>
    );
  });
}
