// A dialog that asks for one text: mostly the reason of an act, which may be asked for only sometimes.
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Elements } from './elements.ts';
import { Field } from './Field.tsx';
import { FormDialog, type ServerForm } from './FormDialog.tsx';
import { newKey } from '../once.ts';

type Values = Record<string, string>;

type ReasonDialogProps = {
  title: string;
  intro?: Elements;
  idPrefix: string;
  /** The server's name of the field. */
  name?: string;
  label?: string;
  hint?: string;
  rows?: number;
  maxLength?: number;
  /** The text to begin with. */
  value?: string;
  /** False: nothing is to be typed. */
  isAsked?: boolean;
  /** Fewest characters, and what to say of fewer. */
  min?: number;
  wanted: string;
  submitLabel: string;
  pendingLabel?: string;
  hasCancel?: boolean;
  failed: string | ((error: Error) => string);
  failureTitle?: string;
  onFailure?: (error: Error) => void;
  /** `key` is one for the dialog's life: sent again, nothing is done twice. */
  send: (text: string, key: string) => Promise<unknown>;
  onClose: () => void;
};

export function ReasonDialog(props: ReasonDialogProps) {
  const { name = 'reason', label = 'Reason', hint, rows = 2, maxLength = 500, value = '', isAsked = true, min = 3, wanted, send, ...dialog } = props;
  const [key] = useState(newKey);
  const text = z.string().check(z.trim(), z.minLength(isAsked ? min : 0, wanted), z.maxLength(maxLength, `Must be at most ${maxLength} characters`));
  return (
    <FormDialog<Values> {...dialog} schema={z.object({ [name]: text })} values={{ [name]: value }} fields={[name]} send={(values) => send(values[name] ?? '', key)}>
      {({ field, register }: ServerForm<Values>) =>
        isAsked && (
          <Field {...field(name)} label={label} hint={hint}>
            {(control) => <textarea {...control} {...register(name)} rows={rows} maxLength={maxLength} dir="auto" />}
          </Field>
        )
      }
    </FormDialog>
  );
}
