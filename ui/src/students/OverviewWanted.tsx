// What the office still wants of a student, each with the one button that answers it.
import type { DocumentType, Student, StudentDocument } from '../api-types.ts';
import { today } from '../dates.ts';
import { type Wanted, wantedOf } from './wanted.ts';

type OverviewWantedProps = {
  student: Student;
  documents: readonly StudentDocument[] | undefined;
  onProfile: () => void;
  onUpload: (type: DocumentType) => void;
};

export function OverviewWanted({ student, documents, onProfile, onUpload }: OverviewWantedProps) {
  const wanted = wantedOf(student, documents ?? [], today());
  if (wanted.length === 0) return null;
  return (
    <section className="card wanted" aria-labelledby="still-wanted">
      <h2 id="still-wanted">Still Wanted</h2>
      <ul className="rows bare">
        {wanted.map((one) => <Row key={one.what} wanted={one} onPress={() => (one.by === 'profile' ? onProfile() : onUpload(one.by))} />)}
      </ul>
    </section>
  );
}

function Row({ wanted: { what, why, button }, onPress }: { wanted: Wanted; onPress: () => void }) {
  return (
    <li className="row">
      <div><strong>{what}</strong><p>{why}</p></div>
      <button type="button" className="button button-outline" onClick={onPress}>{button}</button>
    </li>
  );
}
