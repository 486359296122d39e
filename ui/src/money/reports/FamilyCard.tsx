// What a family owes: the brothers and sisters of a student, each with what is due, and one payment for all of them.
import { Link } from 'react-router';
import type { StudentFamily } from '../../api-types.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';

type FamilyCardProps = { student: { id: number; name: string }; family: StudentFamily; mayWrite: boolean };

export function FamilyCard({ student, family: { members, total }, mayWrite }: FamilyCardProps) {
  const dialog = useDialogPart(() => import('../payments/FamilyPaymentDialog.tsx'));
  const own = total - members.reduce((sum, { due }) => sum + due, 0);
  const all = [{ studentId: student.id, studentName: student.name, due: own }, ...members];
  return (
    <section className="card" aria-labelledby="money-family">
      <header className="row list-head">
        <div>
          <h2 id="money-family">Family</h2>
          <p className="muted">{total > 0 ? `${moneyText(total, '')} to pay in all.` : 'Nothing to pay.'}</p>
        </div>
        {mayWrite && <button type="button" className="button button-outline" onClick={dialog.open}>Record One Payment…</button>}
      </header>
      <ul className="rows">
        <li className="row"><bdi>{student.name}</bdi><strong>{moneyText(own, '')}</strong></li>
        {members.map(({ studentId, studentName, studentNumber, due, overdue }) => (
          <li className="row" key={studentId}>
            <span><Link to={officePaths.studentMoney(studentId)}><bdi>{studentName}</bdi></Link>{studentNumber && <small className="muted">{` · ${studentNumber}`}</small>}</span>
            <span>{overdue > 0 && <small className="muted">{`${moneyText(overdue, '')} overdue `}</small>}<strong>{moneyText(due, '')}</strong></span>
          </li>
        ))}
      </ul>
      {dialog.part && <dialog.part.FamilyPaymentDialog kin={all} onClose={dialog.close} />}
    </section>
  );
}
