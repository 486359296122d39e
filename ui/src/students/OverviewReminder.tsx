// The amber card of a student who has uploaded nothing (section 2).
import { Icon } from '../components/Icon.tsx';

export function OverviewReminder({ names, onUpload }: { names: string; onUpload: () => void }) {
  return (
    <section className="row tone-yellow reminder screen-only" aria-labelledby="document-reminder">
      <Icon name="alert" />
      <div>
        <h2 id="document-reminder">Document Reminder</h2>
        <p>{`Please upload these, so that the office can review your enrollment: ${names}.`}</p>
      </div>
      <button type="button" className="button button-primary" onClick={onUpload}>Upload a Document</button>
    </section>
  );
}
