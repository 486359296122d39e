// Replaces the form after a message was sent.
import { useEffect, useRef } from 'react';
import { Icon } from '../components/Icon.tsx';

export function MessageSent({ onSendAnother }: { onSendAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="stack message-sent">
      <Icon name="check" />
      <h2 ref={heading} tabIndex={-1}>Message Sent</h2>
      <p role="status">Thank you for your message. A confirmation email has been sent to your inbox.</p>
      <button type="button" className="button button-outline" onClick={onSendAnother}>Send Another Message</button>
    </div>
  );
}
