// The actions of a row: the usual decision as a button, the others in a menu. The result and Undo replace them in
// place, so that no row moves.
import { useState } from 'react';
import { failureWords, isSignedOut } from '../../api.ts';
import type { OfficeEnrollment } from '../../api-types.ts';
import { ActionMenu, type MenuItem } from '../../components/ActionMenu.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { ApproveButton, approveId } from '../ApproveButton.tsx';
import { DeclineDialog } from '../DeclineDialog.tsx';
import { type Decided, decidedElsewhere, decidedHere } from '../decisionResults.ts';
import { waitlistEnrollment } from '../queries.ts';
import { UndoButton } from '../UndoButton.tsx';
import { ApprovalSheet } from './ApprovalSheet.tsx';

type RowActionsProps = {
  enrollment: OfficeEnrollment;
  decision: Decided | undefined;
  /** The ids of what names the enrollment: of its row, unless stated otherwise. */
  describedBy?: string;
  onDecided: (decided: Decided, hadFocus: boolean) => void;
  onUndone: (hadFocus: boolean) => void;
};

export function RowActions({ enrollment, decision, describedBy = `student-${enrollment.id} course-${enrollment.id}`, onDecided, onUndone }: RowActionsProps) {
  if (decision) {
    return (
      <span className="row-action row-decision">
        {decision.words && <small>{decision.words}</small>}
        <UndoButton describedBy={describedBy} decided={decision} onUndone={onUndone} />
      </span>
    );
  }
  return <Actions enrollment={enrollment} describedBy={describedBy} onDecided={onDecided} />;
}

type OpenDialog = 'transfer' | 'move' | 'approve' | 'decline' | 'withdraw' | 'dates' | 'mark' | 'reopen' | 'reverse-approval' | 'refuse-leave';

function Actions({ enrollment, describedBy, onDecided }: Required<Pick<RowActionsProps, 'enrollment' | 'describedBy' | 'onDecided'>>) {
  const [asked, setAsked] = useState<OpenDialog | null>(null);
  const waitlisting = useAction({
    mutationFn: () => waitlistEnrollment(enrollment.id, enrollment.status),
    onSuccess: (answer) => {
      showToast('On the waiting list', 'The student gets an email about it.');
      onDecided(decidedHere(answer, 'Already decided by a colleague'), true);
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('Nothing was changed', failureWords(error, 'The decision could not be saved. Please try again.'));
      const elsewhere = decidedElsewhere(error);
      if (elsewhere && elsewhere.status !== enrollment.status) onDecided(elsewhere, true);
    },
  });
  const transferring = useDialogPart(() => import('./TransferDialog.tsx'));
  const moving = useDialogPart(() => import('./MoveDialog.tsx'));
  const { part: dialogs, open: loadDialogs } = useDialogPart(() => import('./dialogs.tsx'));
  const { usual, others } = choices(
    enrollment,
    (next) => {
      if (next === 'transfer') return transferring.open();
      if (next === 'move') return moving.open();
      setAsked(next);
      if (next !== 'approve' && next !== 'decline') loadDialogs();
    },
    () => waitlisting.run(),
  );
  const dialog = {
    enrollment,
    onDecided: (decided: Decided) => {
      setAsked(null);
      onDecided(decided, true);
    },
    onClose: () => setAsked(null),
  };
  return (
    <span className="row-action row-decision">
      {usual === 'approve' && <ApproveButton enrollment={enrollment} describedBy={describedBy} onDecided={onDecided} />}
      {usual && usual !== 'approve' && (
        <button
          type="button"
          id={approveId(enrollment.id)}
          className="button button-outline"
          aria-keyshortcuts="a"
          aria-describedby={describedBy}
          onClick={usual.onPress}
        >
          {usual.label}
        </button>
      )}
      {others.length > 0 && <ActionMenu label={`More decisions about ${enrollment.studentName}, ${enrollment.courseCode}`} items={others} isCompact />}
      {asked === 'approve' && (
        <ApprovalSheet
          rows={[enrollment]}
          onClose={dialog.onClose}
          onDone={({ decided, failures: [failure] }) => {
            const own = decided[enrollment.id];
            if (own) dialog.onDecided(own);
            else showFailure('Failed to approve enrollment', failure?.message ?? 'Please try again.');
          }}
        />
      )}
      {asked === 'decline' && <DeclineDialog {...dialog} />}
      {transferring.part && (
        <transferring.part.TransferDialog
          enrollment={enrollment}
          onDecided={(decided) => {
            transferring.close();
            onDecided(decided, true);
          }}
          onClose={transferring.close}
        />
      )}
      {moving.part && (
        <moving.part.MoveDialog
          rows={[enrollment]}
          onDone={({ decided, failures: [failure] }) => {
            moving.close();
            const own = decided[enrollment.id];
            if (own) onDecided(own, true);
            else showFailure('Nothing was changed', failure?.message ?? 'Please try again.');
          }}
          onClose={moving.close}
        />
      )}
      {dialogs && asked === 'withdraw' && <dialogs.WithdrawStudentDialog {...dialog} />}
      {dialogs && asked === 'dates' && <dialogs.DatesDialog {...dialog} />}
      {dialogs && asked === 'mark' && <dialogs.MarkDialog {...dialog} />}
      {dialogs && (asked === 'reopen' || asked === 'reverse-approval' || asked === 'refuse-leave') && <dialogs.ExplanationDialog {...dialog} verb={asked} />}
    </span>
  );
}

/** Decisions that a status allows: the usual one, and the others. */
function choices({ status, leaveAskedAt, required }: OfficeEnrollment, ask: (asked: OpenDialog) => void, waitlist: () => void) {
  const item = (label: string, asked: OpenDialog, isDangerous = false): MenuItem => ({ label, isDangerous, onPress: () => ask(asked) });
  const dates = item('Change dates…', 'dates');
  // Missing required items need a reason first.
  const move = item('Move…', 'move');
  const approve = required.includes('section_cancelled') ? move : required.includes('ended') ? dates : required.length > 0 ? item('Approve…', 'approve') : ('approve' as const);
  switch (status) {
    case 'pending':
      return { usual: approve, others: [{ label: 'Put on waiting list', onPress: waitlist }, dates, item('Decline…', 'decline', true)] };
    case 'waitlisted':
      return { usual: approve, others: [dates, item('Decline…', 'decline', true)] };
    case 'active': {
      const mark = item('Enter final mark…', 'mark');
      const withdraw = item('Withdraw…', 'withdraw', true);
      const rest = [dates, item('Transfer…', 'transfer'), item('Reverse approval…', 'reverse-approval', true)];
      return leaveAskedAt
        ? { usual: item('Approve leaving…', 'withdraw'), others: [item('Decline leaving…', 'refuse-leave'), mark, ...rest] }
        : { usual: { ...mark, label: 'Mark…' }, others: [...rest, withdraw] };
    }
    case 'completed':
      return { usual: null, others: [item('Correct mark…', 'mark'), item('Reopen…', 'reopen')] };
    case 'declined':
      return { usual: null, others: [item('Reopen…', 'reopen')] };
    case 'cancelled':
      return { usual: move, others: [item('Transfer…', 'transfer'), item('Withdraw…', 'withdraw', true)] };
    case 'withdrawn':
      return { usual: null, others: [] };
  }
}
