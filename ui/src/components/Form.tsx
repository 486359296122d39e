// A form that cannot forget its states: it wants to know whether it is being sent and what
// went wrong, and refuses a second submission while the first is on its way.
import type { FormEvent, ReactNode } from 'react';
import { Notice } from './Notice.tsx';

type FormProps = {
  isPending: boolean;
  /** What failed as a whole, in words; fields carry their own messages. */
  error: string | null;
  submitLabel: string;
  pendingLabel: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
};

export function Form({ isPending, error, submitLabel, pendingLabel, onSubmit, children }: FormProps) {
  function submitOnce(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isPending) onSubmit(event);
  }

  return (
    <form noValidate onSubmit={submitOnce}>
      {children}
      {error && <Notice kind="error"><p>{error}</p></Notice>}
      {/* Not `disabled`: that would drop the keyboard's focus while sending. */}
      <button type="submit" className="button button-primary button-wide" aria-disabled={isPending}>
        {isPending ? pendingLabel : submitLabel}
      </button>
    </form>
  );
}
