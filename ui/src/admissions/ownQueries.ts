// What a family reads and does with the link to its application.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, patchJson, postJson } from '../api.ts';
import type { SendFile } from '../documents/useUpload.ts';
import { postForm } from '../upload.ts';
import type { components } from '../openapi.ts';
import type { OwnApplication } from './wire.ts';

type Schemas = components['schemas'];

/** Exchanges the link's token for a cookie. */
const openSession = (token: string): Promise<OwnApplication> => postJson('/api/applications/session', { token });

export const applicationQuery = (token: string) =>
  queryOptions({
    queryKey: ['application', token],
    queryFn: () => openSession(token),
    staleTime: Infinity,
  });

/**
 * Acts on the application of this link. The cookie may have expired, or be that of a brother or sister whose link was
 * opened in another tab.
 */
async function act<T>(token: string, call: () => Promise<T>): Promise<T> {
  await openSession(token);
  return call();
}

export const sendAnswer = (token: string, text: string) => act(token, () => postJson('/api/applications/me/answers', { text }));

export const acceptOffer = (token: string, acceptance: Schemas['AcceptanceForm']) => act(token, () => postJson('/api/applications/me/accept', acceptance));

export const declineOffer = (token: string, reason: string) => act(token, () => postJson('/api/applications/me/decline', { reason }));

export const withdrawApplication = (token: string, reason: string) => act(token, () => postJson('/api/applications/me/withdraw', { reason }));

export type ContactData = Pick<OwnApplication, 'email' | 'phone' | 'address' | 'country'> & Record<'city' | 'province' | 'postalCode' | 'guardianPhone', string>;

export const changeContact = (token: string, contact: Partial<ContactData>) => act(token, () => patchJson('/api/applications/me', contact as Schemas['OwnApplicationForm']));

export const answerAboutAccount = (token: string, isOurs: boolean): Promise<OwnApplication> => act(token, () => postJson('/api/applications/me/account', { isOurs }));

/** Puts the old address of an application back. */
export const undoAddressChange = mutationOptions({
  mutationKey: ['application', 'undo-email-change'],
  mutationFn: (link: Schemas['MailedToken']) => postJson('/api/applications/undo-email-change', link),
});

export const sendDocument = (token: string): SendFile => async ({ file, documentType, signal, onProgress }) => {
  await openSession(token);
  const form = new FormData();
  form.append('document', file);
  form.append('documentType', documentType);
  return postForm('/api/applications/me/documents', form, { signal, onProgress });
};

export const ownDocumentAddress = (id: number) => `/api/applications/me/documents/${id}`;

/** Ends the session of this browser. */
export const endSession = () => deleteJson('/api/applications/session');

export const askForLink = (email: string) => postJson('/api/applications/link', { email });
