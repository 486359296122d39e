// What a colleague works on, and who takes it over.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Assignable, Role, StaffRow } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { heldWorkQuery } from './queries.ts';
import { nameOf } from './words.ts';

const kindWords = { messages: ['message', 'messages'], applications: ['application', 'applications'] } satisfies Record<Assignable, [one: string, many: string]>;

type HandOverProps = {
  row: StaffRow;
  /** Only what this role does not allow; all of it without one. */
  role?: Role;
  /** Number of the colleague; null for none. */
  to: number | null;
  error?: string | undefined;
  onChoose: (to: number | null) => void;
};

export function HandOver({ row, role, to, error, onChoose }: HandOverProps) {
  const work = useQuery(heldWorkQuery(row.id, role));
  const heading = useRef<HTMLHeadingElement>(null);
  if (work.isPending) return <Spinner label="Looking for assigned work..." />;
  if (work.isError) {
    return (
      <>
        <h3 ref={heading} tabIndex={-1}>Assigned Work</h3>
        <LoadFailed words="The assigned work could not be loaded. Please try again." query={work} heading={heading} />
      </>
    );
  }
  const { count, kinds, colleagues } = work.data;
  if (count === 0) return role ? null : <p>{`Nothing is assigned to ${nameOf(row)}.`}</p>;
  return (
    <div className="stack">
      <dl className="pairs tinted held">
        {kinds.map(({ kind, count: all, items }) => (
          <div key={kind}>
            <dt>{`${all} ${kindWords[kind][all === 1 ? 0 : 1]}`}</dt>
            <dd>
              <ul>
                {items.slice(0, listed).map(({ id, reference, name }) => <li key={id}><bdi>{name}</bdi><small>{` ${reference}`}</small></li>)}
                {all > listed && <li>{`and ${all - listed} more`}</li>}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
      <Field id="hand-over-to" error={error} label="Hand over to" hint="Unassigned work is open to everyone who may act on it.">
        {(control) => (
          <select {...control} value={to ?? ''} onChange={(event) => onChoose(Number(event.target.value) || null)}>
            <option value="">No one: leave unassigned</option>
            {colleagues.map(({ id, username }) => <option key={id} value={id}>{username}</option>)}
          </select>
        )}
      </Field>
    </div>
  );
}

/** Items that are named of each kind. */
const listed = 5;
