// The sticky bar of the settings: unsaved and unpublished state, and its actions.
import { useState } from 'react';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import type { Editor } from './useDraft.ts';
import type { Step, Steps } from './useSteps.ts';
import { joinNames } from './words.ts';

export const formId = 'settings-form';

type SettingsBarProps = { editor: Editor; steps: Steps };

export function SettingsBar({ editor, steps }: SettingsBarProps) {
  const [isAsking, setIsAsking] = useState(false);
  const publishing = useDialogPart(() => import('./PublishDialog.tsx'));
  const { isDirty, changes } = editor;
  const isNew = isDirty || changes.length > 0;
  const label = (step: Step, words: string, pending: string) => (steps.step === step ? pending : words);
  const close = () => setIsAsking(false);

  async function discard() {
    // The pressed button is gone then.
    if (await steps.discard()) editor.focusLater('announcement');
    close();
  }

  return (
    <div className="floats row settings-bar screen-only">
      <p role="status">{isDirty ? <strong>Unsaved changes</strong> : changes.length > 0 ? 'Saved, not published' : 'Visitors see all of this'}</p>
      <div className="cluster">
        {isNew && <button type="button" className="button button-quiet" onClick={() => setIsAsking(true)}>Discard Changes</button>}
        <button type="button" className="button button-outline" aria-disabled={steps.step !== null} onClick={() => steps.look()}>{label('preview', 'Preview', 'Opening...')}</button>
        <button type="submit" form={formId} className="button button-outline" aria-disabled={steps.step !== null}>{label('save', 'Save Draft', 'Saving...')}</button>
        <button type="button" className="button button-primary" aria-disabled={steps.step !== null} onClick={() => void steps.prepare(publishing.open)}>
          {label('publish', 'Publish...', 'Saving...')}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Discard Changes?"
          confirmLabel="Discard Changes"
          pendingLabel="Discarding..."
          cancelLabel="Keep Editing"
          isDangerous
          isPending={steps.step === 'discard'}
          onConfirm={() => void discard()}
          onClose={close}
        >
          <p>
            {changes.length > 0
              ? `Everything goes back to what visitors see. What was saved and not published is lost too: ${joinNames(changes)}.`
              : 'Everything goes back to what visitors see.'}
          </p>
        </ConfirmDialog>
      )}
      {publishing.part && <publishing.part.PublishDialog changes={changes} steps={steps} onClose={publishing.close} />}
    </div>
  );
}
