// Opens the dialog that declines a request.
import { useState } from 'react';
import type { PendingEnrollment } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { DeclineDialog } from './DeclineDialog.tsx';
import type { Decided } from './decided.ts';

type DeclineButtonProps = { enrollment: PendingEnrollment; onDecided: (decided: Decided, hadFocus: boolean) => void };

export function DeclineButton({ enrollment, onDecided }: DeclineButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Decline"
        title="Decline"
        aria-describedby={`student-${enrollment.id} course-${enrollment.id}`}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="close" />
      </button>
      {isOpen && (
        <DeclineDialog
          enrollment={enrollment}
          onDecided={(decided) => {
            setIsOpen(false);
            onDecided(decided, true);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
