// The second factor of the own account, in either portal.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';
import type { Answer } from '../api-types.ts';
import type { components } from '../openapi.ts';
import type { Portal } from '../session.ts';

type Schemas = components['schemas'];

export type FactorSetup = Schemas['FactorSetup'];
type Proof = Schemas['FactorProof'];

/** Whose second factor it is: the portal, and the name or address of the account. */
export type FactorOwner = { portal: Portal; username: string };

function factorOf(room: 'staff' | 'students', account: string) {
  const key = [room, 'second-factor'] as const;
  const address = `${account}/second-factor`;
  return {
    query: queryOptions({
      queryKey: key,
      queryFn: ({ signal }) => getJson<Schemas['SecondFactor']>(address, signal),
    }),
    begin: mutationOptions({
      mutationKey: [...key, 'begin'],
      mutationFn: () => postJson<FactorSetup>(address, {}),
    }),
    confirm: mutationOptions({
      mutationKey: [...key, 'confirm'],
      mutationFn: (proof: Proof) => postJson<Schemas['RecoveryCodes']>(`${address}/confirm`, proof),
    }),
    drawRecoveryCodes: mutationOptions({
      mutationKey: [...key, 'recovery-codes'],
      mutationFn: (proof: Proof) => postJson<Schemas['RecoveryCodes']>(`${address}/recovery-codes`, proof),
    }),
    turnOff: mutationOptions({
      mutationKey: [...key, 'turn-off'],
      mutationFn: (proof: Proof) => postJson<Answer>(`${address}/turn-off`, proof),
    }),
    /** Whoever is signed in proves once more who they are. */
    prove: mutationOptions({
      mutationKey: [room, 'proof'],
      mutationFn: (proof: Schemas['IdentityProof']) => postJson<void>(`${account}/proof`, proof),
    }),
  };
}

export const factors = { staff: factorOf('staff', '/api/user'), student: factorOf('students', '/api/students') };
