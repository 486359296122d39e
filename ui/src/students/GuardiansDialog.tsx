// The parents and guardians of a student: added, changed and removed as one list, by the student or the office. One that
// the office stopped disclosing to is not changed here.
import { useState } from 'react';
import type { MutationOptions } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import type { Guardian, GuardianInput } from '../api-types.ts';
import { optionsOf, readWord } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Icon } from '../components/Icon.tsx';
import { useAction } from '../components/useAction.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { relationships } from './guardians.ts';

type Row = GuardianInput & { key: string };

const rowOf = ({ id, name, email, phone, relationship, isPrimary, getsMail }: Guardian): Row =>
  ({ key: String(id), id, name, email, phone, relationship, isPrimary, getsMail });

let added = 0;
const newRow = (isPrimary: boolean): Row => ({ key: `new-${added++}`, name: '', email: null, phone: null, relationship: null, isPrimary, getsMail: true });

type GuardiansDialogProps = {
  guardians: readonly Guardian[];
  saving: MutationOptions<Guardian[], Error, GuardianInput[]>;
  onSaved: () => void | Promise<void>;
  onClose: () => void;
};

export function GuardiansDialog({ guardians, saving, onSaved, onClose }: GuardiansDialogProps) {
  const open = guardians.filter(({ stoppedAt }) => stoppedAt === null);
  const [rows, setRows] = useState(open.length > 0 ? open.map(rowOf) : [newRow(true)]);
  const [isDirty, setIsDirty] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const replacing = useAction<Guardian[]>({
    mutationFn: (_, context) => saving.mutationFn?.(rows.map(({ key: _key, ...row }) => row), context) ?? Promise.reject(new Error('no endpoint')),
    onSuccess: onSaved,
  });
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !replacing.isPending && leave(onClose);
  const fields = replacing.error instanceof ApiError ? replacing.error.fields : {};
  const errorOf = (index: number, name: string) => fields[`${index}.${name}`];
  const errors = Object.entries(fields).map(([name, message]) => ({ id: idOf(name), message }));

  function update(next: Row[]) {
    setRows(next);
    setIsDirty(true);
  }
  const change = (key: string, part: Partial<Row>) => update(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const choose = (key: string) => update(rows.map((row) => ({ ...row, isPrimary: row.key === key })));

  return (
    <Dialog title="Parents and Guardians" isWide onClose={close}>
      <Form
        isPending={replacing.isPending}
        summary={{ attempt, errors }}
        error={replacing.isError && errors.length === 0 ? failureWords(replacing.error, 'The list could not be saved. Please try again.') : ''}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={() => {
          setAttempt(attempt + 1);
          replacing.run();
        }}
        onCancel={close}
      >
        <p>The school emails them when a student under 18 asks for a course, and they confirm it with a link. A changed name or contact needs a new confirmation.</p>
        {rows.map((row, index) => (
          <OneRow
            key={row.key}
            row={row}
            index={index}
            error={(name) => errorOf(index, name)}
            isOnly={rows.length === 1}
            onChange={(part) => change(row.key, part)}
            onChoose={() => choose(row.key)}
            onRemove={() => update(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        <p id="guardians-list" tabIndex={-1}>
          <button type="button" className="button button-outline" onClick={() => update([...rows, newRow(rows.length === 0)])}>
            <Icon name="plus" /> Add Another
          </button>
        </p>
      </Form>
      {question}
    </Dialog>
  );
}

/** The control that the server's field belongs to: `0.email`, or the whole list. */
function idOf(name: string): string {
  const [index, field] = name.split('.');
  return field ? `guardian-${index}-${field}` : 'guardians-list';
}

type OneRowProps = {
  row: Row;
  index: number;
  error: (name: string) => string | undefined;
  isOnly: boolean;
  onChange: (part: Partial<Row>) => void;
  onChoose: () => void;
  onRemove: () => void;
};

function OneRow({ row, index, error, isOnly, onChange, onChoose, onRemove }: OneRowProps) {
  const id = (name: string) => `guardian-${index}-${name}`;
  return (
    <fieldset className="card">
      <legend className="sr-only">{row.name || 'A parent or guardian'}</legend>
      <div className="grid field-pair">
        <Field id={id('name')} label="Name" error={error('name')}>
          {(control) => <input {...control} type="text" autoComplete="off" dir="auto" value={row.name} onChange={(event) => onChange({ name: event.target.value })} />}
        </Field>
        <Field id={id('relationship')} label="Relationship (optional)" error={error('relationship')}>
          {(control) => (
            <select {...control} value={row.relationship ?? ''} onChange={(event) => onChange({ relationship: readWord(relationships, event.target.value) || null })}>
              <option value="">Not said</option>
              {optionsOf(relationships).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
            </select>
          )}
        </Field>
      </div>
      <div className="grid field-pair">
        <Field id={id('email')} label="Email" error={error('email')}>
          {(control) => <input {...control} type="email" autoComplete="off" spellCheck={false} value={row.email ?? ''} onChange={(event) => onChange({ email: event.target.value })} />}
        </Field>
        <Field id={id('phone')} label="Phone" error={error('phone')}>
          {(control) => <input {...control} type="tel" autoComplete="off" value={row.phone ?? ''} onChange={(event) => onChange({ phone: event.target.value })} />}
        </Field>
      </div>
      <div className="row">
        <div>
          <label className="tick"><input type="checkbox" checked={row.getsMail ?? true} onChange={(event) => onChange({ getsMail: event.target.checked })} /><span> Gets emails about the student</span></label>
          {!isOnly && <label className="tick"><input type="radio" name="primary-guardian" checked={row.isPrimary ?? false} onChange={onChoose} /><span> First to contact</span></label>}
        </div>
        <button type="button" className="button button-quiet" onClick={onRemove}><Icon name="trash" /> Remove</button>
      </div>
    </fieldset>
  );
}
