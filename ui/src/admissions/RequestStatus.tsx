// Where a request stands, as a badge.
import { statusText, statusTone } from './requests.ts';

export function RequestStatus({ status }: { status: string }) {
  return <span className={`badge badge-${statusTone(status)}`}>{statusText(status)}</span>;
}
