// The bar of bulk actions.

export type BulkVerb = 'approve' | 'decline' | 'waitlist';

type BulkBarProps = {
  count: number;
  total: number;
  canChooseAll: boolean;
  isChoosing: boolean;
  /** Hides "Waiting list" for rows that are on it already. */
  isWaiting: boolean;
  onChooseAll: () => void;
  onDecide: (verb: BulkVerb) => void;
  onClear: () => void;
};

export function BulkBar(props: BulkBarProps) {
  const { count, total, canChooseAll, isChoosing, isWaiting, onChooseAll, onDecide, onClear } = props;
  const button = (verb: BulkVerb, label: string, look: string) => (
    <button type="button" className={`button ${look}`} onClick={() => onDecide(verb)}>{label}</button>
  );
  return (
    <div className="floats cluster bulk-bar" role="group" aria-label="Bulk actions">
      <p role="status"><strong>{`${count} selected`}</strong></p>
      {canChooseAll && (
        <button type="button" className="button button-quiet" aria-disabled={isChoosing} onClick={onChooseAll}>
          {isChoosing ? 'Choosing...' : `Select all ${total}`}
        </button>
      )}
      {button('approve', 'Approve…', 'button-primary')}
      {isWaiting && button('waitlist', 'Waiting list…', 'button-outline')}
      {button('decline', 'Decline…', 'button-outline')}
      <button type="button" className="button button-quiet" onClick={onClear}>Clear</button>
    </div>
  );
}
