// A student's flags as badges: the first ones, and the number of others.
import type { StudentFlag } from '../api-types.ts';
import { flags, shownFlags } from './flags.ts';

export function FlagBadges({ flags: all, most = Number.POSITIVE_INFINITY }: { flags: readonly StudentFlag[]; most?: number }) {
  const shown = shownFlags(all);
  const rest = shown.slice(most);
  if (shown.length === 0) return null;
  return (
    <span className="cluster flag-badges">
      {shown.slice(0, most).map((flag) => (
        <span key={flag} className={`badge tone-${flags[flag].tone}`}>{flags[flag].label}</span>
      ))}
      {rest.length > 0 && <span className="badge" title={rest.map((flag) => flags[flag].label).join(', ')}>{`+${rest.length}`}</span>}
    </span>
  );
}
