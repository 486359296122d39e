// Notices above the settings: unpublished changes, conflicts and failures.
import { useEffect, useRef } from 'react';
import { ErrorSummary } from '../components/ErrorSummary.tsx';
import { Notice } from '../components/Notice.tsx';
import { partNames } from './draft.ts';
import type { Editor } from './useDraft.ts';
import type { Steps } from './useSteps.ts';
import { joinNames, summaryOf } from './words.ts';

export function SettingsNotices({ editor, steps }: { editor: Editor; steps: Steps }) {
  const { changes, both } = editor;
  const { problem, blockedLink } = steps;
  const box = useRef<HTMLDivElement>(null);
  // The pressed button may be far below.
  useEffect(() => {
    if (problem || blockedLink) box.current?.focus();
  }, [problem, blockedLink]);
  // The button is gone once it has worked.
  const then = (work: () => unknown) => () => void Promise.resolve(work()).then(() => box.current?.focus());
  const names = joinNames(both.map((part) => partNames[part]));
  return (
    <div className="settings-notices" ref={box} tabIndex={-1}>
      <ErrorSummary errors={summaryOf(editor.errors)} attempt={steps.attempt} />
      {problem && (
        <Notice kind="error" title={problem.words}>
          {problem.isConflict && (
            <>
              <p>Your changes are still here. Reload to see what is there now; the parts that you changed stay as they are.</p>
              <button type="button" className="button button-outline" onClick={then(steps.reload)}>Reload, Keep My Changes</button>
            </>
          )}
        </Notice>
      )}
      {both.length > 0 && (
        <Notice kind="plain" title={`A colleague has also changed: ${names}`}>
          <p>Your version is shown here, and replaces theirs when you save.</p>
          <button type="button" className="button button-outline" onClick={then(editor.takeTheirs)}>Use Theirs Instead</button>
        </Notice>
      )}
      {blockedLink && (
        <Notice kind="plain" title="Your browser did not let the preview open by itself">
          <p><a href={blockedLink} target="_blank" rel="noopener">Open the preview</a></p>
        </Notice>
      )}
      {changes.length > 0 && (
        <Notice kind="plain" title="Visitors do not see all of this yet">
          <p>{`Saved and not published: ${joinNames(changes)}.`}</p>
        </Notice>
      )}
    </div>
  );
}
