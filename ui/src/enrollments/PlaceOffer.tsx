// A place held for a student on the waiting list: take it or decline it.
import type { Enrollment } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { deadlineText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { useSchool } from '../school/queries.ts';
import { acceptPlace } from './queries.ts';
import { useOwnAction } from './useOwnAction.ts';

type PlaceOfferProps = { enrollment: Enrollment; titleId: string; onRefuse: () => void };

export function PlaceOffer({ enrollment, titleId, onRefuse }: PlaceOfferProps) {
  const { timeZone } = useSchool();
  const { id, course, offeredUntil } = enrollment;
  const accepting = useOwnAction(acceptPlace, {
    done: ['Place taken', `You are enrolled in ${course.name} (${course.code}).`],
    failed: ['The place was not taken', 'Please try again.'],
  });
  return (
    <Notice kind="plain" title="A place is free for you">
      <p>
        {`It is kept until ${deadlineText(offeredUntil ?? '', timeZone)}; after that it is offered to the next student on the list. If you take it, you are enrolled at ${moneyText(course.price, 'the price set by the office')}.`}
      </p>
      <div className="cluster">
        <button type="button" className="button button-primary" aria-describedby={titleId} aria-disabled={accepting.isPending} onClick={() => accepting.run(id)}>
          {accepting.isPending ? 'Taking the place...' : 'Take the Place'}
        </button>
        <button type="button" className="button button-outline" aria-describedby={titleId} onClick={onRefuse}>No Thanks</button>
      </div>
    </Notice>
  );
}
