// The dialog of keyboard shortcuts.
import { Dialog } from '../../components/Dialog.tsx';

const keys = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['x', 'Select the row, or clear it'],
  ['a', 'Approve the row, or all that are selected'],
  ['d', 'Decline the row'],
  ['o', 'Show more about the row'],
  ['p', 'On the page of a student or an application: record a payment'],
  ['/', 'Search students, applicants, courses and receipts'],
  ['?', 'Show these keys'],
] as const;

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="pairs keys">
        {keys.map(([key, words]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
