// What a payment pays for: the oldest due first, until a part is edited.
import type { ItemFees } from '../../api-types.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { divisionProblem, keyOf, oldestFirst, type Parts, restText } from './division.ts';
import '../money.css';
import './DivisionFields.css';

type DivisionFieldsProps = {
  id: string;
  /** Of the payment, as typed. */
  amount: string;
  /** Items with something due, in the order in which money reaches them. */
  items: readonly ItemFees[];
  /** Null while nothing is edited. */
  edited: Parts | null;
  onEdit: (parts: Parts | null) => void;
  /** The server's message. */
  error: string | undefined;
};

export function DivisionFields({ id, amount, items, edited, onEdit, error }: DivisionFieldsProps) {
  const parts = edited ?? oldestFirst(amount, items);
  const problem = divisionProblem(amount, parts, items) ?? error;
  return (
    <fieldset id={id} tabIndex={-1} className="division" aria-describedby={`${id}-rest`}>
      <legend>Pays For</legend>
      <ul className="rows bare">
        {items.map((item) => {
          const key = keyOf(item);
          return (
            <li className="row" key={key}>
              <label htmlFor={`${id}-${key}`}><bdi>{item.for}</bdi><small>{`${moneyText(item.due, '')} due${item.dueOn ? ` ${dateText(item.dueOn, '')}` : ''}`}</small></label>
              <input
                id={`${id}-${key}`}
                type="text"
                inputMode="decimal"
                autoComplete="off"
                placeholder="0.00"
                value={parts[key] ?? ''}
                onChange={(event) => onEdit({ ...parts, [key]: event.target.value })}
              />
            </li>
          );
        })}
      </ul>
      <div className="row" id={`${id}-rest`}>
        <p role="status">{problem ? <strong className="field-error">{problem}</strong> : restText(amount, parts) || 'Type the amount to see what it pays for.'}</p>
        {edited
          ? <button type="button" className="button button-quiet" onClick={() => onEdit(null)}>Oldest Due First</button>
          : <button type="button" className="button button-quiet" onClick={() => onEdit({})}>Keep It on Account</button>}
      </div>
    </fieldset>
  );
}
