// The role select, with a description of what the role may do.
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { Role } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { rolesQuery } from './queries.ts';
import { roles, roleTitle } from './roles.ts';

type RoleFieldProps = {
  field: { id: string; error: string | undefined };
  register: UseFormRegisterReturn;
  role: Role;
};

export function RoleField({ field, register, role }: RoleFieldProps) {
  return (
    <>
      <Field {...field} label="Role">
        {(control) => (
          <select {...control} {...register}>
            {roles.map((one) => <option key={one} value={one}>{roleTitle(one)}</option>)}
          </select>
        )}
      </Field>
      <RoleMeaning role={role} />
    </>
  );
}

/** What a role may do, from the server, which enforces it. */
export function RoleMeaning({ role }: { role: Role }) {
  const { data } = useQuery(rolesQuery);
  const meaning = data?.find((one) => one.role === role);
  if (!meaning) return null;
  return (
    <div className="tinted role-meaning" role="status">
      <p>{`${roleTitle(role)} may:`}</p>
      <ul>{meaning.may.map((words) => <li key={words}>{words}</li>)}</ul>
    </div>
  );
}
