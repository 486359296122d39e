// Students and other requests that may be the same person.
import { Link } from 'react-router';
import { Notice } from '../components/Notice.tsx';
import { officePaths } from '../officePaths.ts';
import { useChange } from './decisions.ts';
import type { Duplicate, RequestFile } from './wire.ts';

export function RequestDuplicates({ request: { id, duplicates, studentId }, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const change = useChange(id);
  const others = duplicates.filter((one) => one.kind === 'application' || one.id !== studentId);
  if (others.length === 0) return null;
  return (
    <Notice kind="plain" title="Perhaps the school knows this student already">
      <ul className="rows bare">
        {others.map((one) => (
          <li className="row" key={`${one.kind}-${one.id}`}>
            <p><Link to={addressOf(one)}><bdi>{one.name}</bdi><span>{` (${one.reference ?? one.number ?? one.kind})`}</span></Link><span className="muted">{` ${one.why}`}</span></p>
            {mayDecide && one.kind === 'student' && studentId === null && (
              <button type="button" className="button button-outline" aria-disabled={change.isPending} onClick={() => !change.isPending && change.mutate({ verb: 'link', body: { studentId: one.id } })}>
                Link to This Student
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const addressOf = ({ kind, id }: Duplicate) => (kind === 'student' ? officePaths.student(id) : officePaths.request(id));
