// The bar of bulk actions.

export type BulkVerb = 'approve' | 'decline' | 'waitlist' | 'move';

type BulkBarProps = {
  count: number;
  total: number;
  canChooseAll: boolean;
  isChoosing: boolean;
  /** What can be done with all of them, the usual first. */
  verbs: readonly BulkVerb[];
  onChooseAll: () => void;
  onDecide: (verb: BulkVerb) => void;
  onClear: () => void;
};

const labels = { approve: 'Approve…', waitlist: 'Waiting list…', decline: 'Decline…', move: 'Move to Another Section…' } satisfies Record<BulkVerb, string>;

export function BulkBar(props: BulkBarProps) {
  const { count, total, canChooseAll, isChoosing, verbs, onChooseAll, onDecide, onClear } = props;
  return (
    <div className="floats cluster bulk-bar" role="group" aria-label="Bulk actions">
      <p role="status"><strong>{`${count} selected`}</strong></p>
      {canChooseAll && (
        <button type="button" className="button button-quiet" aria-disabled={isChoosing} onClick={onChooseAll}>
          {isChoosing ? 'Choosing...' : `Select all ${total}`}
        </button>
      )}
      {verbs.map((verb, at) => (
        <button key={verb} type="button" className={`button ${at === 0 ? 'button-primary' : 'button-outline'}`} onClick={() => onDecide(verb)}>{labels[verb]}</button>
      ))}
      <button type="button" className="button button-quiet" onClick={onClear}>Clear</button>
    </div>
  );
}
