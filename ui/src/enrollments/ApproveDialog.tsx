// Asks whether to approve at the quoted price or at today's.
import { useState } from 'react';
import type { OfficeEnrollment, PriceChoice } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { prerequisiteWords } from './prerequisites.ts';

type ApproveDialogProps = {
  enrollment: OfficeEnrollment;
  isPending: boolean;
  onApprove: (price: PriceChoice) => void;
  onClose: () => void;
};

export function ApproveDialog({ enrollment, isPending, onApprove, onClose }: ApproveDialogProps) {
  const { studentName, courseName, courseCode, price, quotedPrice, quotedUntil, currentPrice, prerequisite } = enrollment;
  const isHeld = price === quotedPrice;
  const [choice, setChoice] = useState<PriceChoice>(isHeld ? 'quoted' : 'current');
  const prices = {
    quoted: {
      label: `${moneyText(quotedPrice, '')}, as quoted with the request`,
      hint: isHeld ? `The quote is valid until ${dateText(quotedUntil, '')}.` : `The quote expired on ${dateText(quotedUntil, '')}.`,
    },
    current: { label: `${moneyText(currentPrice, '')}, the course’s price today`, hint: null },
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
        The price of <strong dir="auto">{courseName}</strong><span>{` (${courseCode}) has changed since `}</span>
        <strong dir="auto">{studentName}</strong> asked for it.
      </p>
      {prerequisite && <p><small dir="auto">{`Prerequisite ${prerequisiteWords(prerequisite)}.`}</small></p>}
      <fieldset>
        <legend className="sr-only">Price</legend>
        {wordsOf(prices).map((value) => (
          <p key={value}>
            <label className="tick">
              <input type="radio" name="price" checked={choice === value} onChange={() => setChoice(value)} />
              <span>{prices[value].label}</span>
            </label>
            {prices[value].hint && <small>{prices[value].hint}</small>}
          </p>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
