// The last cell of a row that somebody decides: the button, or what became of it.
import type { Decision } from './useHeldRows.ts';

type Props = {
  /** Of the button, so that the focus can come back to it. */
  id: string;
  label: string;
  /** The ids of what names the row. */
  describedBy: string;
  decision: Decision | undefined;
  onPress: () => void;
};

/** The place of the button stays when it goes, so that no row moves. */
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
