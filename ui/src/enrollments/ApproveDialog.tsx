// Asks at which of two prices a request is approved: the one that was quoted, or today's.
import { useState } from 'react';
import type { PendingEnrollment, PriceChoice } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';

type ApproveDialogProps = {
  enrollment: PendingEnrollment;
  isPending: boolean;
  onApprove: (price: PriceChoice) => void;
  onClose: () => void;
};

export function ApproveDialog({ enrollment, isPending, onApprove, onClose }: ApproveDialogProps) {
  const { student_name, course_name, course_code, course_fee, quoted_fee, quoted_until, current_fee } = enrollment;
  const isHeld = course_fee === quoted_fee;
  const [choice, setChoice] = useState<PriceChoice>(isHeld ? 'quoted' : 'current');
  const prices = {
    quoted: {
      label: `${moneyText(quoted_fee, '')}, as quoted at the request`,
      hint: isHeld ? `The quote holds until ${dateText(quoted_until, '')}.` : `The quote ran out on ${dateText(quoted_until, '')}.`,
    },
    current: { label: `${moneyText(current_fee, '')}, the course’s price today`, hint: null },
  } satisfies Record<PriceChoice, { label: string; hint: string | null }>;
  return (
    <ConfirmDialog
      title="At which price?"
      confirmLabel="Approve"
      pendingLabel="Approving..."
      isPending={isPending}
      onConfirm={() => onApprove(choice)}
      onClose={onClose}
    >
      <p>
        The price of <strong dir="auto">{course_name}</strong> ({course_code}) has changed since{' '}
        <strong dir="auto">{student_name}</strong> asked for it.
      </p>
      <fieldset>
        <legend className="sr-only">Price</legend>
        {wordsOf(prices).map((value) => (
          <p key={value}>
            <label className="tick">
              <input type="radio" name="price" checked={choice === value} onChange={() => setChoice(value)} />
              {prices[value].label}
            </label>
            {prices[value].hint && <small>{prices[value].hint}</small>}
          </p>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
