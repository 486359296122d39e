// Shown while something loads.
import './Spinner.css';

export function Spinner({ label }: { label: string }) {
  return (
    <p className="spinner" role="status" aria-busy="true">
      <span>{label}</span>
    </p>
  );
}
