// The second factor of the own account.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson } from '../api.ts';
import type { Answer } from '../api-types.ts';
import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

export type FactorSetup = Schemas['FactorSetup'];

const factorKey = ['staff', 'second-factor'] as const;
const address = '/api/user/second-factor';

export const secondFactorQuery = queryOptions({
  queryKey: factorKey,
  queryFn: ({ signal }) => getJson<Schemas['SecondFactor']>(address, signal),
});

export const beginSecondFactor = mutationOptions({
  mutationKey: [...factorKey, 'begin'],
  mutationFn: () => postJson<FactorSetup>(address, {}),
});

export const confirmSecondFactor = mutationOptions({
  mutationKey: [...factorKey, 'confirm'],
  mutationFn: (proof: Schemas['FactorProof']) => postJson<Schemas['RecoveryCodes']>(`${address}/confirm`, proof),
});

export const drawRecoveryCodes = mutationOptions({
  mutationKey: [...factorKey, 'recovery-codes'],
  mutationFn: (proof: Schemas['FactorProof']) => postJson<Schemas['RecoveryCodes']>(`${address}/recovery-codes`, proof),
});

export const turnOffSecondFactor = mutationOptions({
  mutationKey: [...factorKey, 'turn-off'],
  mutationFn: (proof: Schemas['FactorProof']) => postJson<Answer>(`${address}/turn-off`, proof),
});
