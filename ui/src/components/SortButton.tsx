// A sortable column heading: each press reverses the order.

type SortButtonProps = {
  label: string;
  /** The column's name in the address. */
  column: string;
  /** Current sort order. */
  current: string;
  onSort: (sort: string) => void;
};

/** `current` is the address's value: `created`, or `-created` for descending. */
export function sortOf(current: string, by: string): 'ascending' | 'descending' | undefined {
  if (current === by) return 'ascending';
  return current === `-${by}` ? 'descending' : undefined;
}

export function SortButton({ label, column, current, onSort }: SortButtonProps) {
  return (
    <button type="button" onClick={() => onSort(current === column ? `-${column}` : column)}>
      {label}
    </button>
  );
}
