// The list of items that the school still needs, each with its button.
import { useQuery } from '@tanstack/react-query';
import type { DocumentType, Student, MissingItem } from '../api-types.ts';
import { type TodoItem, todoItems } from './missingItems.ts';
import { ownGuardiansQuery } from './queries.ts';

const none: never[] = [];

type OverviewWantedProps = {
  wanted: readonly MissingItem[];
  student: Student;
  onProfile: () => void;
  onGuardians: () => void;
  onUpload: (type: DocumentType) => void;
};

export function OverviewNeeded({ wanted, student, onProfile, onGuardians, onUpload }: OverviewWantedProps) {
  const { data: guardians = none } = useQuery({ ...ownGuardiansQuery, enabled: wanted.some(({ kind }) => kind === 'guardian_confirmation') });
  const asks = todoItems(wanted, student, guardians);
  if (asks.length === 0) return null;
  function press(by: TodoItem['by']) {
    if (by === 'profile') onProfile();
    else if (by === 'guardians') onGuardians();
    else onUpload(by);
  }
  return (
    <section className="card wanted" aria-labelledby="still-wanted">
      <h2 id="still-wanted">Still Needed</h2>
      <ul className="rows bare">
        {asks.map((one) => <Row key={one.what} ask={one} onPress={() => press(one.by)} />)}
      </ul>
    </section>
  );
}

function Row({ ask: { what, why, button }, onPress }: { ask: TodoItem; onPress: () => void }) {
  return (
    <li className="row">
      <div><strong>{what}</strong><p dir="auto">{why}</p></div>
      {button && <button type="button" className="button button-outline" onClick={onPress}>{button}</button>}
    </li>
  );
}
