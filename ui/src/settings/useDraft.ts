// State of the settings page: fields, server errors and the saved draft.
import { useState } from 'react';
import type { SettingsPage, UploadedPicture } from '../api-types.ts';
import { type Draft, isSame, type ListPart, merge, type Part, takeParts, toDraft } from './draft.ts';
import { useFocusLater } from './useFocusLater.ts';
import { errorsWithout, type FieldErrors, idOf } from './words.ts';

type State = {
  /** The saved draft with its version. */
  saved: Draft;
  version: number;
  /** Its unpublished parts. */
  changes: readonly string[];
  draft: Draft;
  pictures: Readonly<Record<string, UploadedPicture>>;
  errors: FieldErrors;
  /** Parts that a colleague has also changed, with their values. */
  both: readonly Part[];
};

const byId = (pictures: readonly UploadedPicture[]) => Object.fromEntries(pictures.map((picture) => [picture.id, picture]));

function begin(page: SettingsPage): State {
  const saved = toDraft(page.settings);
  const { version, changes } = page;
  return { saved, version, changes, draft: saved, pictures: byId(page.pictures), errors: {}, both: [] };
}

/** Merges the server's response under the page's fields; `since` is the page's state when the request was sent. */
function layUnder(state: State, page: SettingsPage, since: Draft): State {
  const next = begin(page);
  const { draft, both } = merge(since, state.draft, next.saved);
  return { ...next, draft, both, pictures: { ...state.pictures, ...next.pictures } };
}

export function useDraft(page: SettingsPage) {
  const [state, setState] = useState(() => begin(page));
  const [said, say] = useState('');
  const focusLater = useFocusLater();
  const { saved, draft, errors } = state;

  function change<P extends Part>(part: P, next: (value: Draft[P]) => Draft[P], path: string = part) {
    setState((now) => ({ ...now, draft: { ...now.draft, [part]: next(now.draft[part]) }, errors: errorsWithout(now.errors, path) }));
  }

  /** Changes one field of one row. */
  function changeRow<P extends ListPart>(part: P, at: number, field: string, value: unknown) {
    const inRow = (rows: Draft[P]) => rows.map((row, place) => (place === at ? { ...row, [field]: value } : row)) as Draft[P];
    change(part, inRow, `${part}.${at}.${field}`);
  }

  return {
    ...state,
    isDirty: !isSame(draft, saved),
    /** Live region text: which row moved or was removed. */
    said,
    say,
    focusLater,
    change,
    changeRow,
    field: (path: string) => ({ id: idOf(path), error: errors[path] }),
    setErrors: (next: FieldErrors) => setState((now) => ({ ...now, errors: next })),
    addPicture: (picture: UploadedPicture) => setState((now) => ({ ...now, pictures: { ...now.pictures, [picture.id]: picture } })),
    /** Marks the sent state as saved; later input is kept. */
    keep: (next: SettingsPage, sent: Draft) => setState((now) => ({ ...layUnder(now, next, sent), both: [] })),
    /** A colleague saved in the meantime. */
    joinWith: (next: SettingsPage) => setState((now) => layUnder(now, next, now.saved)),
    takeTheirs: () => setState((now) => ({ ...now, draft: takeParts(now.draft, now.saved, now.both), both: [], errors: {} })),
    replace: (next: SettingsPage) => setState(begin(next)),
  };
}

export type Editor = ReturnType<typeof useDraft>;
