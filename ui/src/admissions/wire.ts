// The wire types of applications.
import type { DocumentType } from '../api-types.ts';
import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

/** A document that belongs to an application. */
export type ApplicationDocument = Schemas['AdmissionDocument'];

export type Offer = Schemas['AdmissionOffer'];
/** A part of a fee with its day. */
export type FeePart = Schemas['FeePart'];
/** What an offer of today usually asks for. */
export type UsualOffer = Schemas['UsualOfferTerms'];
/** What an offer to many families would do. */
export type OffersPreview = Schemas['OffersPreview'];
export type Asked = Schemas['AskedOfFamily'];
/** The application as its family sees it. */
export type OwnApplication = Schemas['OwnApplication'];

export type Source = Schemas['AdmissionSource'];
export type Relationship = Schemas['Relationship'];

/** A row of the office's list, and a request as the office opens it. */
export type RequestRow = Schemas['ListedAdmissionRequest'];
export type RequestFile = Schemas['AdmissionRecord'];
export type RequestEvent = Schemas['AdmissionEvent'];
export type Mailbox = Schemas['Mailbox'];
export type Duplicate = Schemas['Duplicate'];

export type RequestCounts = Schemas['AdmissionCounts'];
/** What accepted requests wait for. */
export type Wait = Schemas['AdmissionWait'];

/** A request after a decision. */
export type DecidedRequest = Schemas['DecidedApplication'];

/** The types of the documents that the office asked for. */
export const wantedTypes = ({ wants }: { wants: readonly string[] | null }) => (wants ?? []) as DocumentType[];
