// A statement of any period: its page to print, which leads to the PDF.
import { useState } from 'react';
import type { Elements } from '../../components/elements.ts';
import './period.css';

export type Period = { from: string; to: string };

type StatementOfProps = {
  /** The address of the statement. */
  path: string;
  /** What else is done with a period. */
  children?: (period: Period) => Elements;
};

/** Without days it is the whole time until today; days in the wrong order are turned round. */
export function StatementOf({ path, children }: StatementOfProps) {
  const [{ from, to }, setPeriod] = useState<Period>({ from: '', to: '' });
  const period = from && to && from > to ? { from: to, to: from } : { from, to };
  const day = (name: keyof Period, label: string, value: string) => (
    <label><span>{label}</span> <input type="date" className="filter-select" value={value} onChange={(event) => setPeriod({ from, to, [name]: event.target.value })} /></label>
  );
  return (
    <div className="cluster period">
      {day('from', 'From', from)}
      {day('to', 'To', to)}
      <a className="button button-outline" href={`${path}?${new URLSearchParams({ ...period, format: 'html' })}`} target="_blank" rel="noopener">Open Statement</a>
      {children?.(period)}
    </div>
  );
}
