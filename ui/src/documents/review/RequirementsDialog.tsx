// The documents the school requires, the students who need them, and whether an upload is enough for an approval.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, failureWords } from '../../api.ts';
import type { CanadianStatus, DocumentRequirement, RequirementInput } from '../../api-types.ts';
import { optionsOf, readWord, wordsOf } from '../../closedSets.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { documentTypes } from '../types.ts';
import { replaceRequirements, requirementsQuery } from './queries.ts';
import './dialogs.css';

const { other: _, ...required } = documentTypes;
const needs = { request: 'An upload is enough', approval: 'Accepted by the office' } as const;
const statuses = {
  citizen: 'Citizens',
  permanent_resident: 'Permanent residents',
  international_student: 'International students',
  other: 'Other statuses',
} satisfies Record<CanadianStatus, string>;
const prerequisites = { '': 'Any course', yes: 'With a prerequisite', no: 'Without one' } as const;

const number = (text: string) => (text === '' ? null : Number(text));

type Row = RequirementInput & { key: string };

const rowOf = ({ id, documentType, label, applies, neededFor, validMonths }: DocumentRequirement): Row => ({ key: String(id), id, documentType, label, applies, neededFor, validMonths });

export function RequirementsDialog({ onClose }: { onClose: () => void }) {
  const found = useQuery(requirementsQuery);
  return (
    <Dialog title="Required Documents" isWide onClose={onClose}>
      {found.isSuccess && !found.isFetching ? <Rows begun={found.data.filter(({ isActive }) => isActive).map(rowOf)} onClose={onClose} /> : <Spinner label="Loading..." />}
    </Dialog>
  );
}

function Rows({ begun, onClose }: { begun: Row[]; onClose: () => void }) {
  const client = useQueryClient();
  const [rows, setRows] = useState(begun);
  const [attempt, setAttempt] = useState(0);
  const saving = useAction<unknown>({
    mutationFn: () => replaceRequirements(rows.map(({ key: _key, ...row }) => row)),
    onSuccess: async () => {
      await client.invalidateQueries();
      showToast('Required documents saved');
      onClose();
    },
  });
  const change = (key: string, part: Partial<Row>) => setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const fields = saving.error instanceof ApiError ? Object.entries(saving.error.fields) : [];
  const errors = fields.map(([name, message]) => ({ id: `requirement-${name.split('.')[0]}`, message: `${rows[Number(name.split('.')[0])]?.label ?? 'A document'}: ${message}` }));
  return (
    <Form
      isPending={saving.isPending}
      summary={{ attempt, errors }}
      error={saving.isError && errors.length === 0 ? <p>{failureWords(saving.error, 'That did not work. Please try again.')}</p> : ''}
      submitLabel="Save"
      pendingLabel="Saving..."
      onSubmit={() => {
        setAttempt(attempt + 1);
        saving.run();
      }}
      onCancel={onClose}
    >
      <p>Students are asked for these documents, in this order. If you remove one, students are no longer asked for it; uploaded documents stay.</p>
      {rows.map((row, index) => <OneRow key={row.key} row={row} index={index} onChange={(part) => change(row.key, part)} onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))} />)}
      <button type="button" className="button button-outline" onClick={() => setRows([...rows, { key: `new-${Date.now()}`, documentType: 'study_permit', label: documentTypes.study_permit, neededFor: 'request' }])}>
        <Icon name="plus" /> Add a Document
      </button>
    </Form>
  );
}

function OneRow({ row, index, onChange, onRemove }: { row: Row; index: number; onChange: (part: Partial<Row>) => void; onRemove: () => void }) {
  const { applies } = row;
  const narrow = (part: Partial<NonNullable<Row['applies']>>) => onChange({ applies: { ...applies, ...part } });
  const id = (name: string) => `requirement-${index}${name}`;
  const has = applies?.hasPrerequisite;
  return (
    <fieldset className="card requirement">
      <legend className="sr-only">{row.label || 'A document'}</legend>
      <div className="grid">
        <label>Document
          <select
            id={id('')}
            value={row.documentType}
            onChange={(event) => {
              const documentType = readWord(required, event.target.value) || row.documentType;
              onChange({ documentType, label: row.label === documentTypes[row.documentType] ? documentTypes[documentType] : (row.label ?? null) });
            }}
          >
            {optionsOf(required).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </select>
        </label>
        <label>Name in the list <input id={id('-label')} maxLength={100} value={row.label ?? ''} onChange={(event) => onChange({ label: event.target.value })} /></label>
        <label>Before an approval
          <select id={id('-need')} value={row.neededFor ?? 'request'} onChange={(event) => onChange({ neededFor: readWord(needs, event.target.value) || 'request' })}>
            {optionsOf(needs).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </select>
        </label>
        <label>Valid for (months) <input id={id('-months')} type="number" min={1} max={120} value={row.validMonths ?? ''} onChange={(event) => onChange({ validMonths: number(event.target.value) })} /></label>
      </div>
      <button type="button" className="button button-quiet" onClick={onRemove}><Icon name="trash" /> Remove</button>
      <details>
        <summary>Students who need it</summary>
        <p className="fine-print">Empty fields include everyone.</p>
        <div className="cluster">
          {wordsOf(statuses).map((status) => (
            <label className="tick" key={status}>
              <input
                type="checkbox"
                checked={applies?.canadianStatus?.includes(status) ?? false}
                onChange={({ target }) => narrow({ canadianStatus: target.checked ? [...(applies?.canadianStatus ?? []), status] : (applies?.canadianStatus ?? []).filter((one) => one !== status) })}
              />
              <span>{` ${statuses[status]}`}</span>
            </label>
          ))}
        </div>
        <div className="grid">
          <label>From age <input id={id('-min')} type="number" min={0} max={99} value={applies?.minAge ?? ''} onChange={(event) => narrow({ minAge: number(event.target.value) })} /></label>
          <label>To age <input id={id('-max')} type="number" min={0} max={99} value={applies?.maxAge ?? ''} onChange={(event) => narrow({ maxAge: number(event.target.value) })} /></label>
          <label>From grade <input id={id('-grade')} type="number" min={9} max={12} value={applies?.gradeMin ?? ''} onChange={(event) => narrow({ gradeMin: number(event.target.value) })} /></label>
          <label>Courses
            <select id={id('-prerequisite')} value={has === true ? 'yes' : has === false ? 'no' : ''} onChange={({ target }) => narrow({ hasPrerequisite: target.value === '' ? null : target.value === 'yes' })}>
              {optionsOf(prerequisites).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
            </select>
          </label>
        </div>
      </details>
    </fieldset>
  );
}
