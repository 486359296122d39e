// A form that requires its pending and error state, and ignores a second submission while the first is pending.
import { type FormEvent, useSyncExternalStore } from 'react';
import { ErrorSummary } from './ErrorSummary.tsx';
import { Notice } from './Notice.tsx';
import type { Elements } from './elements.ts';

type FormProps = {
  isPending: boolean;
  /** Before scripts run, the browser can send it to the page's address. */
  isPlain?: boolean;
  /** Field errors from `useServerForm`. */
  summary: { errors: { id: string; message: string }[]; attempt: number };
  /** Message of a failure that concerns no single field. */
  error: string | Elements;
  /** Set if a toast announces the failure. */
  isToasted?: boolean;
  submitLabel: string;
  pendingLabel: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Shows a Cancel button, which closes the dialog. */
  onCancel?: () => void;
  children: Elements;
};

/** In a long form its end, where the message stands, may be out of sight. */
const show = (message: HTMLElement | null) => message?.scrollIntoView({ block: 'nearest' });

/** Never changes once scripts run. */
const never = () => () => undefined;

export function Form(props: FormProps) {
  const { isPending, isPlain = false, summary, error, submitLabel, pendingLabel, onSubmit, onCancel, children } = props;

  // Until scripts run, the browser validates, and only plain forms can be sent.
  const isLive = useSyncExternalStore(never, () => true, () => false);

  function submitOnce(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isPending) onSubmit(event);
  }

  return (
    <form noValidate={isLive} method="post" onSubmit={submitOnce}>
      <ErrorSummary {...summary} />
      {children}
      {error && <div ref={show}><Notice kind="error" isQuiet={props.isToasted}>{typeof error === 'string' ? <p>{error}</p> : error}</Notice></div>}
      <div className={onCancel ? 'cluster form-actions' : undefined}>
        {onCancel && <button type="button" className="button button-quiet" onClick={onCancel}>Cancel</button>}
        {/* Not `disabled`: that would drop the keyboard's focus while sending. */}
        <button
          type="submit"
          className={onCancel ? 'button button-primary' : 'button button-primary button-wide'}
          aria-disabled={isPending}
          disabled={!isLive && !isPlain}
        >
          {isPending ? pendingLabel : submitLabel}
        </button>
      </div>
    </form>
  );
}
