// The mark of a request whose hidden field was filled in, and the way to take it off.
import { Notice } from '../components/Notice.tsx';
import { useChange } from './decisions.ts';
import type { RequestFile } from './wire.ts';

export function LookTwice({ request: { id, lookTwice, guardianEmail }, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const change = useChange(id);
  if (!lookTwice) return null;
  return (
    <Notice kind="plain" title="Look twice: a program may have sent this">
      <p>
        A field that people do not see was filled in, by a program or by a family’s password manager. Decline it if it is not real.
      </p>
      {guardianEmail !== null && <p>The parent or guardian is written to once you say that it is real.</p>}
      {mayDecide && (
        <button type="button" className="button button-outline" aria-disabled={change.isPending} onClick={() => !change.isPending && change.mutate({ verb: 'real', body: {} })}>
          This Application Is Real
        </button>
      )}
    </Notice>
  );
}
