// The status badge of an admission request.
import type { AdmissionRequestStatus } from '../api-types.ts';
import { stateTones, statusText } from './requests.ts';

export function RequestStatus({ status }: { status: AdmissionRequestStatus }) {
  return <span className={`badge tone-${stateTones[status]}`}>{statusText(status)}</span>;
}
