// The preview of an email, rendered by the server's templates.
import type { EmailPreview } from '../api-types.ts';
import { EmailAddress } from './EmailAddress.tsx';
import './EmailSample.css';

export function EmailSample({ email: { recipient, subject, text } }: { email: EmailPreview }) {
  return (
    <article className="email-sample" aria-label="The email">
      <dl className="pairs">
        <div><dt>To</dt><dd><EmailAddress address={recipient} /></dd></div>
        <div><dt>Subject</dt><dd><strong dir="auto">{subject}</strong></dd></div>
      </dl>
      <p dir="auto">{text.trimEnd()}</p>
    </article>
  );
}
