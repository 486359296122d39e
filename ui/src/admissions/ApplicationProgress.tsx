// The stations of an application, with the present one marked.
import { isOpen, stationOf, stations } from './ownState.ts';
import type { OwnApplication } from './wire.ts';

export function ApplicationProgress({ application: { status } }: { application: OwnApplication }) {
  const here = stationOf[status];
  const hasEnded = !isOpen(status) && status !== 'accepted';
  if (hasEnded) return null;
  return (
    <section className="card" aria-labelledby="progress-title">
      <h2 id="progress-title">Progress</h2>
      <ol className="stations application-steps">
        {stations.map((name, place) => (
          <li key={name} className={place < here || status === 'accepted' ? 'is-past' : undefined} aria-current={place === here ? 'step' : undefined}>
            <strong>{name}</strong>
            {place < here && <span className="sr-only"> (done)</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
