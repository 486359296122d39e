// The amber card of a student who has uploaded nothing (section 2); the list below it has a button for each document.
import { Icon } from '../components/Icon.tsx';

export function OverviewReminder() {
  return (
    <section className="row tone-yellow reminder screen-only" aria-labelledby="document-reminder">
      <Icon name="alert" />
      <div>
        <h2 id="document-reminder">Document Reminder</h2>
        <p>You have not uploaded anything yet. The office needs the documents below to review your enrollment.</p>
      </div>
    </section>
  );
}
