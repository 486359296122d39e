// Queries and calls for the second factor of the signed-in user, in either portal.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, patchJson, postJson } from '../api.ts';
import type { components } from '../openapi.ts';
import type { Portal } from './session.ts';

type Schemas = components['schemas'];

export type FactorSetup = Schemas['FactorSetup'];
export type Passkey = Schemas['Passkey'];
export type SecondFactor = Schemas['SecondFactor'];
type Proof = Schemas['FactorProof'];

/** The owner: portal, and username or email. */
export type FactorOwner = { portal: Portal; username: string };

function factorOf(room: 'staff' | 'students', account: '/api/user' | '/api/students') {
  const key = [room, 'second-factor'] as const;
  const address = `${account}/second-factor` as const;
  return {
    query: queryOptions({
      queryKey: key,
      queryFn: ({ signal }) => getJson(address, signal),
    }),
    begin: mutationOptions({
      mutationKey: [...key, 'begin'],
      mutationFn: () => postJson(address),
    }),
    confirm: mutationOptions({
      mutationKey: [...key, 'confirm'],
      mutationFn: (proof: Proof) => postJson(`${address}/confirm`, proof),
    }),
    drawRecoveryCodes: mutationOptions({
      mutationKey: [...key, 'recovery-codes'],
      mutationFn: (proof: Proof) => postJson(`${address}/recovery-codes`, proof),
    }),
    turnOff: mutationOptions({
      mutationKey: [...key, 'turn-off'],
      mutationFn: (proof: Proof) => postJson(`${address}/turn-off`, proof),
    }),
    beginPasskey: mutationOptions({
      mutationKey: [...key, 'begin-passkey'],
      mutationFn: () => postJson(`${account}/passkeys/begin`),
    }),
    addPasskey: mutationOptions({
      mutationKey: [...key, 'add-passkey'],
      mutationFn: (passkey: Schemas['NewPasskey']) => postJson(`${account}/passkeys`, passkey),
    }),
    renamePasskey: mutationOptions({
      mutationKey: [...key, 'rename-passkey'],
      mutationFn: ({ id, name }: { id: number; name: string }) => patchJson(`${account}/passkeys/${id}`, { name }),
    }),
    removePasskey: mutationOptions({
      mutationKey: [...key, 'remove-passkey'],
      mutationFn: (id: number) => deleteJson(`${account}/passkeys/${id}`),
    }),
    /** Requests a challenge for one's own passkeys. */
    askPasskey: () => postJson(`${account}/passkeys/ask`),
    /** Proves the signed-in user's identity again. */
    prove: mutationOptions({
      mutationKey: [room, 'proof'],
      mutationFn: (proof: Schemas['IdentityProof']) => postJson(`${account}/proof`, proof),
    }),
  };
}

export const factors = { staff: factorOf('staff', '/api/user'), student: factorOf('students', '/api/students') };
