// Creating passkeys: loaded when one is added, as few people do.
import type { components } from '../openapi.ts';
import { asked, bytesOf, known, textOf } from './passkey.ts';

type Schemas = components['schemas'];

/** Creates a passkey. */
export async function makePasskey(wish: Schemas['PasskeyWish']): Promise<Omit<Schemas['NewPasskey'], 'name'>> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: bytesOf(wish.challenge),
    rp: { id: wish.rpId, name: wish.rpName },
    user: { id: bytesOf(wish.userId), name: wish.userName, displayName: wish.userName },
    pubKeyCredParams: wish.algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: wish.exclude.map(known),
    // It complements the password, so neither discoverability nor a PIN is required.
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    attestation: 'none',
    timeout: wish.timeout,
  };
  const made = await asked(() => navigator.credentials.create({ publicKey }));
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    clientData: textOf(response.clientDataJSON),
    attestation: textOf(response.attestationObject),
    transports: response.getTransports().join(' '),
  };
}
