// The Approve button of a request: charges the fee and emails the student. If the price has changed since the request,
// it asks first.
import { useRef, useState } from 'react';
import { failureWords, isSignedOut } from '../api.ts';
import type { OfficeEnrollment, PriceChoice } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { ApproveDialog } from './ApproveDialog.tsx';
import { type Decided, decidedElsewhere, decidedHere } from './decisionResults.ts';
import { hasTwoPrices } from './fees.ts';
import { approveEnrollment } from './queries.ts';

type ApproveButtonProps = {
  enrollment: OfficeEnrollment;
  /** The ids of what names the enrollment. */
  describedBy: string;
  onDecided: (decided: Decided, hadFocus: boolean) => void;
};

export const approveId = (id: number) => `approve-${id}`;

export function ApproveButton({ enrollment, describedBy, onDecided }: ApproveButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);

  function end(decided: Decided) {
    const hadFocus = isChoosing || document.activeElement === button.current;
    setIsChoosing(false);
    onDecided(decided, hadFocus);
  }

  const approving = useAction({
    ...approveEnrollment,
    onSuccess: (answer) => {
      if (answer.isChanged !== false) showToast('Enrollment approved', 'The student enrollment has been approved successfully.');
      end(decidedHere(answer, 'Already approved by a colleague'));
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('Failed to approve enrollment', failureWords(error, 'An error occurred while approving the enrollment.'));
      const elsewhere = decidedElsewhere(error);
      if (elsewhere) end(elsewhere);
    },
  });
  const approve = (price?: PriceChoice) => approving.run({ id: enrollment.id, expected: enrollment.status, ...(price && { price }) });

  return (
    <>
      <button
        type="button"
        ref={button}
        id={approveId(enrollment.id)}
        className="button button-outline"
        aria-keyshortcuts="a"
        aria-disabled={approving.isPending}
        aria-describedby={describedBy}
        onKeyDown={(event) => {
          // A key held down is meant for one row.
          if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
        }}
        onClick={() => (hasTwoPrices(enrollment) ? setIsChoosing(true) : approve())}
      >
        {approving.isPending ? 'Approving...' : 'Approve'}
      </button>
      {isChoosing && (
        <ApproveDialog
          enrollment={enrollment}
          isPending={approving.isPending}
          onApprove={approve}
          onClose={() => !approving.isPending && setIsChoosing(false)}
        />
      )}
    </>
  );
}
