// A form that cannot forget its states: it wants to know whether it is being sent and what went
// wrong, and refuses a second submission while the first is on its way.
import { type FormEvent, useSyncExternalStore } from 'react';
import { ErrorSummary } from './ErrorSummary.tsx';
import { Notice } from './Notice.tsx';
import type { Elements } from './elements.ts';

type FormProps = {
  isPending: boolean;
  /** Where the browser sends it in a page whose script has not run. */
  action?: string;
  /** What is wrong with the fields, from `useServerForm`. */
  summary: { errors: { id: string; message: string }[]; attempt: number };
  /** What failed as a whole, in words; fields carry their own messages. */
  error: string | Elements;
  /** The failure is announced by a toast already. */
  isToasted?: boolean;
  submitLabel: string;
  pendingLabel: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** In a dialog: a second button, which closes it. */
  onCancel?: () => void;
  children: Elements;
};

/** That a script runs changes no more once it does. */
const never = () => () => undefined;

export function Form(props: FormProps) {
  const { isPending, action, summary, error, submitLabel, pendingLabel, onSubmit, onCancel, children } = props;

  // Until then the browser checks what was typed.
  const isLive = useSyncExternalStore(never, () => true, () => false);

  function submitOnce(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isPending) onSubmit(event);
  }

  return (
    <form noValidate={isLive} action={action} method={action && 'post'} onSubmit={submitOnce}>
      <ErrorSummary {...summary} />
      {children}
      {error && <Notice kind="error" isQuiet={props.isToasted}>{typeof error === 'string' ? <p>{error}</p> : error}</Notice>}
      <div className={onCancel ? 'cluster form-actions' : undefined}>
        {onCancel && <button type="button" className="button button-quiet" onClick={onCancel}>Cancel</button>}
        {/* Not `disabled`: that would drop the keyboard's focus while sending. */}
        <button
          type="submit"
          className={onCancel ? 'button button-primary' : 'button button-primary button-wide'}
          aria-disabled={isPending}
        >
          {isPending ? pendingLabel : submitLabel}
        </button>
      </div>
    </form>
  );
}
