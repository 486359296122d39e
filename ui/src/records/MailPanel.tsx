// Emails to a student, and contact messages from the student's address.
import { Link } from 'react-router';
import type { ContactMessage, MailRecord } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { momentText } from '../dates.ts';
import { deliveryText, statusBadge } from '../mail/emails.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import type { PanelProps } from './tabs.ts';

export function MailPanel({ file: { student, emails, messages } }: PanelProps) {
  return (
    <div className="stack file-cards">
      {messages && messages.length > 0 && <Messages messages={messages} />}
      {emails && <Emails emails={emails} address={student.email} />}
    </div>
  );
}

function Emails({ emails, address }: { emails: readonly MailRecord[]; address: string }) {
  const { timeZone } = useSchool();
  if (emails.length === 0) {
    return <EmptyState icon="send" title="No emails"><p>Nothing was written to this student or a guardian in the last 90 days.</p></EmptyState>;
  }
  return (
    <section className="card" aria-labelledby="emails">
      <h2 id="emails">Emails to the Student and Guardians</h2>
      <ul className="rows bare">
        {emails.map((email) => {
          const { label, tone } = statusBadge(email);
          return (
            <li className="row" key={email.id}>
              <div><strong>{email.subject}</strong><p className="muted"><span>{`${momentText(email.createdAt, timeZone)} · ${deliveryText(email, timeZone)}`}</span>{email.recipient !== address && <><span> · to </span><EmailAddress address={email.recipient} /></>}</p></div>
              <span className={`badge tone-${tone}`}>{label}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Messages({ messages }: { messages: readonly ContactMessage[] }) {
  const { timeZone } = useSchool();
  return (
    <section className="card" aria-labelledby="messages">
      <h2 id="messages">Messages from This Address</h2>
      <ul className="rows bare">
        {messages.map(({ id, message, createdAt, status, reference }) => (
          <li key={id}>
            <p className="muted"><Link to={officePaths.message(id)}>{reference}</Link><span>{` · ${momentText(createdAt, timeZone)} · ${status}`}</span></p>
            <p className="written">{message}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
