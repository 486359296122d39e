// The sticky bar of the settings: unsaved and unpublished state, and its actions.
import { useState } from 'react';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import type { Editor } from './useDraft.ts';
import type { Step, Steps } from './useSteps.ts';
import { joinNames } from './words.ts';

export const formId = 'settings-form';

type SettingsBarProps = { editor: Editor; steps: Steps };

export function SettingsBar({ editor, steps }: SettingsBarProps) {
  const [asking, setAsking] = useState<'discard' | 'publish' | null>(null);
  const { isDirty, changes } = editor;
  const isNew = isDirty || changes.length > 0;
  const label = (step: Step, words: string, pending: string) => (steps.step === step ? pending : words);
  const close = () => setAsking(null);

  async function discard() {
    // The pressed button is gone then.
    if (await steps.discard()) editor.focusLater('announcement');
    close();
  }

  return (
    <div className="floats row settings-bar screen-only">
      <p role="status">{isDirty ? <strong>Unsaved changes</strong> : changes.length > 0 ? 'Saved, not published' : 'Visitors see all of this'}</p>
      <div className="cluster">
        {isNew && <button type="button" className="button button-quiet" onClick={() => setAsking('discard')}>Discard Changes</button>}
        <button type="button" className="button button-outline" aria-disabled={steps.step !== null} onClick={() => steps.look()}>{label('preview', 'Preview', 'Opening...')}</button>
        <button type="submit" form={formId} className="button button-outline" aria-disabled={steps.step !== null}>{label('save', 'Save Draft', 'Saving...')}</button>
        <button type="button" className="button button-primary" aria-disabled={steps.step !== null} onClick={() => void steps.prepare(() => setAsking('publish'))}>
          {label('publish', 'Publish...', 'Saving...')}
        </button>
      </div>
      {asking === 'discard' && (
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
      {asking === 'publish' && <PublishDialog changes={changes} steps={steps} onClose={close} />}
    </div>
  );
}
