// The filters of the list of admission requests, with counts: states, and what accepted requests wait for.
import type { AdmissionRequestStatus } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { stateTones, statusLabel } from './requests.ts';
import { type RequestsView, waitWords } from './useRequestsView.ts';
import type { RequestCounts, Wait } from './wire.ts';
import '../components/Chips.css';

type RequestChipsProps = { counts: RequestCounts | undefined; view: RequestsView; onToggle: (state: AdmissionRequestStatus) => void; onWait: (wait: Wait) => void };

/** Hidden without matches, except pressed ones, which must stay removable. */
export function RequestChips({ counts, view, onToggle, onWait }: RequestChipsProps) {
  const states = wordsOf(stateTones).map((state) => ({ key: state, label: statusLabel(state), count: counts?.statuses.find(({ status }) => status === state)?.count ?? 0, isPressed: view.states.includes(state), press: () => onToggle(state) }));
  const waits = wordsOf(waitWords).map((wait) => ({ key: wait, label: waitWords[wait], count: counts?.waits.find(({ waits: one }) => one === wait)?.count ?? 0, isPressed: view.waits === wait, press: () => onWait(wait) }));
  return (
    <div className="chips screen-only" role="group" aria-label="Show only">
      {[...states, ...waits].filter(({ count, isPressed }) => count > 0 || isPressed).map(({ key, label, count, isPressed, press }) => (
        <button type="button" key={key} aria-pressed={isPressed} onClick={press}>
          <span>{`${label} `}</span><small>{count}</small>
        </button>
      ))}
    </div>
  );
}
