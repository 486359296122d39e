// The button that refreshes a list whose decided rows were kept in place.
import { refreshButtonId } from './useStableRows.ts';

type NextOnesProps = { titleId: string; label: string; decidedCount: number; onShow: () => Promise<void> };

export function RefreshButton({ titleId, label, decidedCount, onShow }: NextOnesProps) {
  if (decidedCount === 0) return null;
  return (
    <p className="list-next">
      <button type="button" id={refreshButtonId(titleId)} className="button button-outline" onClick={() => void onShow()}>
        {label}
      </button>
    </p>
  );
}
