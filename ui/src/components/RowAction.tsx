// The last cell of a row to be decided: the button, or the result.
import type { Decision } from './useStableRows.ts';

type Props = {
  /** Id of the button, to return the focus to it. */
  id: string;
  label: string;
  /** Ids of the elements that describe the row. */
  describedBy: string;
  decision: Decision | undefined;
  onPress: () => void;
};

/** Keeps the button's space, so that no row moves. */
export function RowAction({ id, label, describedBy, decision, onPress }: Props) {
  return (
    <span className="row-action row-action-wide">
      {decision ? <span><strong>{decision.status}</strong><small>{decision.words}</small></span> : (
        <button type="button" id={id} className="button button-primary" aria-describedby={describedBy} onClick={onPress}>
          {label}
        </button>
      )}
    </span>
  );
}
