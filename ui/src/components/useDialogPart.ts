// A dialog whose code is loaded when it is opened, since most visits do not open it.
import { useState } from 'react';
import { failureWords } from '../api.ts';
import { loadPart } from './loadPart.ts';
import { showFailure } from './toasts.ts';
import { useAction } from './useAction.ts';

/** `part` is the module imported by `load`, while the dialog is open. */
export function useDialogPart<Part extends object>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null);
  const opening = useAction({
    mutationFn: () => loadPart(load),
    onSuccess: setPart,
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });
  return { part, isPending: opening.isPending, open: () => opening.run(), close: () => setPart(null) };
}
