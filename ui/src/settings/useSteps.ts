// The settings bar's actions: save, preview, publish, discard; one at a time.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, failureWords, getJson, isSignedOut } from '../api.ts';
import type { SettingsPage } from '../api-types.ts';
import { dismissToast, showToast } from '../components/toasts.ts';
import { schoolQuery } from '../school/queries.ts';
import { toInput } from './draft.ts';
import { discardDraft, openPreview, publishDraft, restoreVersion, saveDraft, settingsQuery, versionsQuery } from './queries.ts';
import type { Editor } from './useDraft.ts';

export type Step = 'save' | 'preview' | 'publish' | 'discard' | 'restore' | 'load';
type Problem = { words: string; isConflict: boolean };

export function useSteps(editor: Editor) {
  const client = useQueryClient();
  const [step, setStep] = useState<Step | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [blockedLink, setBlockedLink] = useState<string | null>(null);
  const isUnderWay = useRef(false);

  /** Shows a failure where it belongs: at fields, in a notice, or in the login dialog. */
  function report(error: unknown) {
    if (isSignedOut(error)) return;
    const fields = error instanceof ApiError ? error.fields : {};
    if (Object.keys(fields).length > 0) {
      editor.setErrors(fields);
      setAttempt((count) => count + 1);
    } else {
      const isConflict = error instanceof ApiError && error.status === 409;
      setProblem({ words: failureWords(error, 'That did not work. Please try again in a moment.'), isConflict });
    }
  }

  async function take(name: Step, work: () => Promise<void>): Promise<boolean> {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setStep(name);
    setProblem(null);
    setBlockedLink(null);
    dismissToast();
    try {
      await work();
      return true;
    } catch (error) {
      report(error);
      return false;
    } finally {
      isUnderWay.current = false;
      setStep(null);
    }
  }

  const know = (page: SettingsPage) => client.setQueryData(settingsQuery.queryKey, page);

  /** Unpublished parts after saving the page. */
  async function saved(): Promise<readonly string[]> {
    const { draft, version, isDirty, changes } = editor;
    if (!isDirty) return changes;
    const page = await saveDraft(version, toInput(draft));
    know(page);
    editor.keep(page, draft);
    return page.changes;
  }

  function replace(page: SettingsPage, title: string, description: string) {
    know(page);
    editor.replace(page);
    showToast(title, description);
  }

  const save = () =>
    take('save', async () => {
      const before = editor.isDirty;
      await saved();
      showToast(before ? 'Draft saved' : 'Everything is already saved', before ? 'Visitors see it once it is published.' : null);
    });

  /** Browsers allow opening a tab only during the press, so it is opened first and navigated later. */
  function look(id?: number) {
    if (isUnderWay.current) return;
    const tab = window.open('', '_blank');
    void take('preview', async () => {
      if (id === undefined) await saved();
      const { link } = await openPreview(id);
      if (!tab || tab.closed) return setBlockedLink(link);
      tab.opener = null;
      tab.location.replace(link);
    }).then((isDone) => isDone || tab?.close());
  }

  return {
    step,
    problem,
    attempt,
    /** Link to a preview whose tab was blocked. */
    blockedLink,
    report,
    save,
    look,
    /** Saves everything, then calls `onReady` if there are unpublished changes. */
    prepare: (onReady: () => void) =>
      take('publish', async () => {
        if ((await saved()).length > 0) onReady();
        else showToast('There is nothing new to publish', 'Visitors see all of this already.');
      }),
    /** Throws the server's error, which the dialog shows. */
    publish: async (note: string) => {
      const page = await publishDraft(editor.version, note);
      know(page);
      editor.keep(page, editor.draft);
      showToast('Published', 'Visitors see it from now on.');
      void client.invalidateQueries(versionsQuery);
      void client.invalidateQueries(schoolQuery);
    },
    discard: () =>
      take('discard', async () => {
        const page = editor.changes.length > 0 ? await discardDraft(editor.version) : await getJson('/api/admin/settings');
        replace(page, 'Changes discarded', 'This is what visitors see.');
      }),
    restore: (id: number) =>
      take('restore', async () => replace(await restoreVersion(id, editor.version), 'Restored as the draft', 'Publish it when it is ready.')),
    reload: () =>
      take('load', async () => {
        const page = await getJson('/api/admin/settings');
        know(page);
        editor.joinWith(page);
      }),
  };
}

export type Steps = ReturnType<typeof useSteps>;
