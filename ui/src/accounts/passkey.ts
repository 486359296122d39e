// Using passkeys in the browser; bytes are sent as base64url.
import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

export type PasskeyQuestion = Schemas['PasskeyQuestion'];
/** A browser's answer to a challenge, sent in place of a code. */
export type GivenPasskey = { id: string; clientData: string; authenticatorData: string; signature: string };

export const knowsPasskeys = () => 'PublicKeyCredential' in window;

/** The message when the browser or the user declines. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused';
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

export function textOf(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export const known = ({ id, transports }: Schemas['KnownPasskey']): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytesOf(id),
  transports: transports as AuthenticatorTransport[],
});

/** Answers a challenge with a passkey. */
export async function answerPasskey({ challenge, rpId, allow, timeout }: PasskeyQuestion): Promise<GivenPasskey> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: bytesOf(challenge),
    rpId,
    allowCredentials: allow.map(known),
    userVerification: 'preferred',
    timeout,
  };
  const used = await asked(() => navigator.credentials.get({ publicKey }));
  const response = used.response as AuthenticatorAssertionResponse;
  return {
    id: textOf(used.rawId),
    clientData: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

/** The browser's credential; throws `PasskeyRefused` without one. */
export async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask();
    if (credential) return credential as PublicKeyCredential;
  } catch (error) {
    throw new PasskeyRefused(refusalWords(error));
  }
  throw new PasskeyRefused(refusalWords(null));
}

/** Error names of WebAuthn (§5.1.3 and §5.1.4); browsers do not say which of several reasons it was. */
export function refusalWords(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'InvalidStateError': return 'This device already has a passkey for this account.';
    case 'NotSupportedError': return 'This device cannot create a passkey that the school can check.';
    case 'SecurityError': return 'Passkeys work only when the site is opened by its domain name.';
    default: return 'No passkey was used. Please try again when you are ready.';
  }
}
