// Filter chips of the student list, with counts.
import { useQuery } from '@tanstack/react-query';
import type { StudentFlag } from '../api-types.ts';
import { chips, flags } from './flags.ts';
import { flagCountsQuery } from './queries.ts';
import '../components/Chips.css';

type FlagChipsProps = { pressed: readonly StudentFlag[]; onToggle: (flag: StudentFlag) => void };

export function FlagChips({ pressed, onToggle }: FlagChipsProps) {
  const counts = new Map(useQuery(flagCountsQuery).data?.map(({ flag, count }) => [flag, count]));
  // Hide chips without matches, except pressed ones, which must stay removable.
  const shown = chips.filter((flag) => (counts.get(flag) ?? 0) > 0 || pressed.includes(flag));
  return (
    <div className="chips screen-only" role="group" aria-label="Show only">
      {shown.map((flag) => (
        <button type="button" key={flag} aria-pressed={pressed.includes(flag)} onClick={() => onToggle(flag)}>
          <span>{`${flags[flag].label} `}</span><small>{counts.get(flag) ?? 0}</small>
        </button>
      ))}
    </div>
  );
}
