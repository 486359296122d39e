// The heading of a column that the server can sort by: once for one direction, once more for the other.

type SortButtonProps = {
  label: string;
  /** What this column is called in the address. */
  column: string;
  /** By what the list is sorted now. */
  current: string;
  onSort: (sort: string) => void;
};

/** `current` is the word of the address: `created`, or `-created` for the other way. */
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
