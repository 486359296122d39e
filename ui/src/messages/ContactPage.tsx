// Contact: how to reach the school, where it is, and a form that writes to the office.
import { useState } from 'react';
import { PageHeader } from '../components/PageHeader.tsx';
import { useSchool } from '../school/queries.ts';
import { ContactForm } from './ContactForm.tsx';
import { ContactInformation, Location } from './ContactInformation.tsx';
import { MessageSent } from './MessageSent.tsx';
import '../school/bands.css';
import './ContactPage.css';

export function ContactPage() {
  const school = useSchool();
  const [isSent, setIsSent] = useState(false);
  const [isAgain, setIsAgain] = useState(false);

  function startAgain() {
    setIsSent(false);
    setIsAgain(true);
  }

  return (
    <>
      <PageHeader eyebrow="We are glad to hear from you" title="Contact Us">
        Write, call or visit. The office answers in the order in which messages arrive.
      </PageHeader>
      <div className="wrap band split contact">
        <section className="card stack screen-only">
          {isSent ? (
            <MessageSent onSendAnother={startAgain} />
          ) : (
            <ContactForm school={school} takesFocus={isAgain} onSent={() => setIsSent(true)} />
          )}
        </section>
        <div className="stack">
          <ContactInformation school={school} />
          <Location school={school} />
        </div>
      </div>
    </>
  );
}
