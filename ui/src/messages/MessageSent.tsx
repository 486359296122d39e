// The confirmation that replaces the form.
import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';

export function MessageSent({ onSendAnother }: { onSendAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);

  function startAgain(event: FormEvent) {
    event.preventDefault();
    onSendAnother();
  }

  return (
    <div className="stack message-sent centred">
      <SiteIcon name="check" />
      <h2 ref={heading} tabIndex={-1}>Message Sent</h2>
      <p role="status">Thank you for your message. A confirmation email has been sent to your inbox.</p>
      {/* A form for a page whose script has not run. */}
      <form action={paths.contact()} onSubmit={startAgain}>
        <button type="submit" className="button button-outline">Send Another Message</button>
      </form>
    </div>
  );
}
