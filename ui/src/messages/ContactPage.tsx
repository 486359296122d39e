// The contact page: contact information, location and message form.
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { PageHeader } from '../components/PageHeader.tsx';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { PlainForm } from '../template.tsx';
import { ContactForm } from './ContactForm.tsx';
import { ContactInformation, Location } from './ContactInformation.tsx';
import { MessageSent } from './MessageSent.tsx';
import '../components/bands.css';
import './ContactPage.css';

export function ContactPage() {
  const school = useSchool();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  // Redirected here after the form was sent without scripts.
  const wasSent = parameters.has('sent');
  const [isSent, setIsSent] = useState(wasSent);
  const [isAgain, setIsAgain] = useState(false);

  function startAgain() {
    if (wasSent) void navigate(paths.contact(), { replace: true });
    setIsSent(false);
    setIsAgain(true);
  }

  return (
    <>
      <PageHeader eyebrow="We are glad to hear from you" title="Contact Us">
        Write, call or visit. We answer messages in the order they arrive.
      </PageHeader>
      <div className="wrap band split contact">
        <ContactInformation school={school} />
        <section className="card stack screen-only">
          {isSent ? (
            <MessageSent onSendAnother={startAgain} />
          ) : (
            <PlainForm><ContactForm school={school} takesFocus={isAgain} onSent={() => setIsSent(true)} /></PlainForm>
          )}
        </section>
        <Location school={school} />
      </div>
    </>
  );
}
