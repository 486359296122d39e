// A form field: label, hint, error and their ARIA wiring.
import type { Elements } from './elements.ts';
import './Field.css';

/** Attributes that tie the control to its label, hint and error. */
export type ControlProps = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };

type FieldProps = {
  id: string;
  label: string;
  hint?: string;
  error: string | undefined;
  children: (control: ControlProps) => Elements;
};

export function Field({ id, label, hint, error, children }: FieldProps) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && <p className="field-hint" id={`${id}-hint`}>{hint}</p>}
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {error && <p className="field-error" id={`${id}-error`}>{error}</p>}
    </div>
  );
}
