// The error summary of a form. Takes the focus after each failed attempt; each line links to its field.
import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { SiteIcon } from './SiteIcon.tsx';
import './Notice.css';

type ErrorSummaryProps = {
  errors: { id: string; message: string }[];
  /** Number of failed attempts; a new one moves the focus here. */
  attempt: number;
};

export function ErrorSummary({ errors, attempt }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const focusedFor = useRef(0);
  // No dependency list: the errors are rendered some time after the attempt was counted, and the focus moves with them.
  useLayoutEffect(() => {
    if (attempt === focusedFor.current || !box.current) return;
    focusedFor.current = attempt;
    box.current.focus();
  });

  if (errors.length === 0) return null;
  return (
    <div className="notice notice-error error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby="error-summary-title">
      <SiteIcon name="alert" />
      <div>
        <p id="error-summary-title">There is a problem</p>
        <ul>
          {errors.map(({ id, message }) => (
            <li key={id}><a href={`#${id}`} onClick={focusField}>{message}</a></li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Focuses the field: following the link would only scroll and change the address. */
function focusField(event: MouseEvent<HTMLAnchorElement>) {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}
