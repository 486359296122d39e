// The office corrects what a family typed; a colleague's changes are not overwritten.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { grades } from '../courses/grades.ts';
import { countries } from '../school/countries.ts';
import { decisionFailure, editRequest, requestQuery } from './decisions.ts';
import { requestsKey } from './queries.ts';
import type { RequestFile } from './wire.ts';

const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  grade: 'Grade',
  previousSchool: 'Current or last school',
  startTerm: 'Start',
  email: 'Email',
  phone: 'Phone',
  country: 'Country',
  address: 'Address',
  city: 'City',
  province: 'Province or state',
  postalCode: 'Postal code',
  guardianName: 'Parent or guardian',
  guardianEmail: 'Guardian’s email',
  guardianPhone: 'Guardian’s phone',
} as const;

type Name = keyof typeof labels;
type Values = Record<Name, string>;

const names = Object.keys(labels) as Name[];

// Fields may be blank, so only the server validates.
const schema = z.custom<Values>();

const valuesOf = (request: RequestFile) => Object.fromEntries(names.map((name) => [name, String(request[name] ?? '')])) as Values;

const kinds: Partial<Record<Name, string>> = { dateOfBirth: 'date', email: 'email', guardianEmail: 'email', phone: 'tel', guardianPhone: 'tel' };

export function EditRequestDialog({ request, onClose }: { request: RequestFile; onClose: () => void }) {
  const client = useQueryClient();
  const changing = useMutation({ mutationFn: (body: object) => editRequest(request.id, body) });
  return (
    <FormDialog
      title="Edit Request"
      isWide
      schema={schema}
      values={valuesOf(request)}
      fields={names}
      idPrefix="request"
      submitLabel="Save Changes"
      failed={decisionFailure}
      onFailure={async (error, { takeOver }) => {
        if (!(error instanceof ApiError && error.status === 409)) return;
        const now = await client.fetchQuery({ ...requestQuery(request.id), staleTime: 0 }).catch(() => undefined);
        if (now) takeOver(valuesOf(now));
      }}
      send={async (values, { form }) => {
        const changed = names.filter((name) => form.getFieldState(name).isDirty);
        const body = Object.fromEntries(changed.map((name) => [name, name === 'grade' ? Number(values[name]) : values[name]]));
        await changing.mutateAsync({ ...body, version: request.version });
        await client.invalidateQueries({ queryKey: requestsKey });
        showToast('Request saved');
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <div className="grid field-pair">
          {names.map((name) => (
            <Field key={name} {...field(name)} label={labels[name]}>
              {(control) => {
                if (name === 'grade') return <select {...control} {...register(name)}>{grades.map((grade) => <option key={grade} value={grade}>{grade}</option>)}</select>;
                if (name === 'country') return <select {...control} {...register(name)}>{countries.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>;
                return <input {...control} {...register(name)} type={kinds[name] ?? 'text'} autoComplete="off" dir="auto" />;
              }}
            </Field>
          ))}
        </div>
      )}
    </FormDialog>
  );
}
