// The filters of the audit trail: user, action, record and dates, and those set by links from other pages.
import { useQuery } from '@tanstack/react-query';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { Icon } from '../components/Icon.tsx';
import { auditWordsQuery } from './queries.ts';
import { type AuditFilter, type AuditView, filters } from './useAuditView.ts';
import { readable } from './words.ts';

type AuditFiltersProps = {
  view: AuditView;
  onFilter: (change: Partial<Record<AuditFilter, string>>) => void;
  onClear: () => void;
};

export function AuditFilters({ view, onFilter, onClear }: AuditFiltersProps) {
  const words = useQuery(auditWordsQuery).data;
  const choices = [
    { name: 'user', label: 'Who', all: 'Everyone', words: words?.users ?? [], text: (word: string) => word },
    { name: 'action', label: 'Action', all: 'Everything done', words: words?.actions ?? [], text: readable },
    { name: 'object', label: 'To what', all: 'All things', words: words?.objects ?? [], text: readable },
  ] as const;
  const isFiltered = filters.some((name) => view[name] !== '');
  return (
    <div className="cluster audit-filters screen-only">
      {choices.map(({ name, label, all, words: known, text }) => (
        <FilterSelect
          key={name}
          label={label}
          value={view[name]}
          // Show a filter from the address even if no row has it.
          options={[{ value: '', label: all }, ...[...new Set([...known, view[name]])].filter(Boolean).map((word) => ({ value: word, label: text(word) }))]}
          onChange={(value) => onFilter({ [name]: value, ...(name === 'object' && { objectId: '' }) })}
        />
      ))}
      <div className="cluster">
        <label className="cluster">From <input type="date" value={view.from} max={view.to || undefined} onChange={(event) => onFilter({ from: event.target.value })} /></label>
        <label className="cluster">To <input type="date" value={view.to} min={view.from || undefined} onChange={(event) => onFilter({ to: event.target.value })} /></label>
      </div>
      {view.student && <Chip label={`Student #${view.student}`} onRemove={() => onFilter({ student: '' })} />}
      {view.objectId && <Chip label={`${readable(view.object) || 'Thing'} #${view.objectId}`} onRemove={() => onFilter({ objectId: '' })} />}
      {isFiltered && <button type="button" className="button button-quiet" onClick={onClear}>Clear</button>}
    </div>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button type="button" className="button button-outline" aria-label={`Remove the filter ${label}`} onClick={onRemove}>
      <span>{`${label} `}</span><Icon name="close" />
    </button>
  );
}
