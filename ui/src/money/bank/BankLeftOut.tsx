// The lines of the bank's file that are left out, each with the reason and the way by hand.
import type { LeftOut } from '../../api-types.ts';
import { type Column, Table } from '../../components/Table.tsx';

type Row = LeftOut & { id: number };

const columns = (onEnter: () => void): Column<Row>[] => [
  {
    label: 'Line',
    place: 'lead',
    cell: ({ line, text, reason }) => (
      <>
        <span dir="auto">{`${line}: ${text || '(empty)'}`}</span>
        <small className="bank-why">{reason}</small>
      </>
    ),
  },
  { label: 'Action', place: 'action', from: 'tablet', cell: ({ line }) => <button type="button" className="button button-quiet" aria-label={`Enter line ${line} by hand`} onClick={onEnter}>Enter by Hand</button> },
];

export function LeftOutLines({ lines, onEnter }: { lines: readonly LeftOut[]; onEnter: () => void }) {
  return (
    <details className="bank-folded">
      <summary id="bank-left-out">{`Left out (${lines.length})`}</summary>
      <Table labelledBy="bank-left-out" className="bank-left-out" columns={columns(onEnter)} rows={lines.map((one) => ({ ...one, id: one.line }))} name={({ line }) => `line ${line}`} />
    </details>
  );
}
