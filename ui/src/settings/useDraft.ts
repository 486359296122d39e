// What is being written on the page: the fields, what the server says of them, and what it holds already.
import { useState } from 'react';
import type { SettingsPage, UploadedPicture } from '../api-types.ts';
import { type Draft, isSame, type ListPart, merge, type Part, take, toDraft } from './draft.ts';
import { useFocusLater } from './useFocusLater.ts';
import { errorsWithout, type FieldErrors, idOf } from './words.ts';

type State = {
  /** What the server holds: its draft, of this version. */
  saved: Draft;
  version: number;
  /** Which parts of it visitors do not see yet. */
  changes: readonly string[];
  draft: Draft;
  pictures: Readonly<Record<string, UploadedPicture>>;
  errors: FieldErrors;
  /** Parts that somebody else has changed too, and what they wrote. */
  both: readonly Part[];
};

const byId = (pictures: readonly UploadedPicture[]) => Object.fromEntries(pictures.map((picture) => [picture.id, picture]));

function begin(page: SettingsPage): State {
  const saved = toDraft(page.settings);
  const { version, changes } = page;
  return { saved, version, changes, draft: saved, pictures: byId(page.pictures), errors: {}, both: [] };
}

/** The server's answer, laid under what is on the page: `since` is what the page held when it was asked. */
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
    /** For those who hear the page: what moved or went. */
    said,
    say,
    focusLater,
    change,
    changeRow,
    field: (path: string) => ({ id: idOf(path), error: errors[path] }),
    setErrors: (next: FieldErrors) => setState((now) => ({ ...now, errors: next })),
    addPicture: (picture: UploadedPicture) => setState((now) => ({ ...now, pictures: { ...now.pictures, [picture.id]: picture } })),
    /** The server has saved what the page held; what was typed since stays. */
    keep: (next: SettingsPage, sent: Draft) => setState((now) => ({ ...layUnder(now, next, sent), both: [] })),
    /** Somebody else saved meanwhile. */
    joinWith: (next: SettingsPage) => setState((now) => layUnder(now, next, now.saved)),
    takeTheirs: () => setState((now) => ({ ...now, draft: take(now.draft, now.saved, now.both), both: [], errors: {} })),
    replace: (next: SettingsPage) => setState(begin(next)),
  };
}

export type Editor = ReturnType<typeof useDraft>;
