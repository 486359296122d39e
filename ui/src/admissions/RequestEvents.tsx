// What happened to a request, newest first; what the family is not told about says so.
import { momentText } from '../dates.ts';
import { documentTypes } from '../documents/types.ts';
import { useSchool } from '../school/queries.ts';
import { actorWords, eventWords, isInternal } from './requestWords.ts';
import { type RequestEvent, wantedTypes } from './wire.ts';

export function RequestEvents({ events }: { events: readonly RequestEvent[] }) {
  const { timeZone } = useSchool();
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Timeline</h2>
      <ol className="events">
        {events.toSorted((one, other) => other.id - one.id).map((event) => (
          <li key={event.id}>
            <strong>{eventWords(event)}</strong>
            <span>{` · ${actorWords(event)}, ${momentText(event.at, timeZone)}${isInternal(event) ? ' · office only' : ''}`}</span>
            {event.verb === 'edit' && <span className="wants">{`Changed: ${event.reason ?? ''}`}</span>}
            {[event.asked, event.answer, event.verb === 'edit' ? null : event.reason].filter((words) => words !== null).map((words) => <q key={words} dir="auto">{words}</q>)}
            {wantedTypes(event).length > 0 && <span className="wants">{`Asked for: ${wantedTypes(event).map((type) => documentTypes[type]).join(', ')}`}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
