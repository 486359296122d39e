// The shapes that travel between the server and the interface. They are made from the server's own
// description (openapi.json → openapi.ts), so the two sides cannot drift; here they get their names.
import type { components, paths } from './openapi.ts';

type Schemas = components['schemas'];

export type Grade = Schemas['Grade'];

export type School = Schemas['PublicSchool'];

export type Course = Schemas['Course'];

export type ContactSubject = Schemas['ContactSubject'];

export type Student = Schemas['Student'];
export type Gender = Schemas['Gender'];
export type CanadianStatus = Schemas['CanadianStatus'];
export type Province = Schemas['Province'];

export type User = Schemas['User'];

/** A device on which an account is signed in. */
export type SignedIn = Schemas['SignedIn'];
export type PasswordChange = Schemas['PasswordChange'];

export type Enrollment = Schemas['Enrollment'];
export type EnrollmentStatus = Schemas['EnrollmentStatus'];
/** What an approval charges: the price of the request, or today's. */
export type PriceChoice = Schemas['PriceChoice'];

/** Why a request is declined, for the school's figures. */
export type DeclineCode = Schemas['DeclineCode'];
/** How a decision is taken back, while its e-mails wait. */
export type Undo = Schemas['Undo'];

export type PendingEnrollment = Schemas['PendingEnrollment'];

/** An enrollment that was approved without a price and never charged. */
export type UnpricedEnrollment = Schemas['UnpricedEnrollment'];

/** A student whose name, date of birth or status in Canada changed after an approval. */
export type IdentityChange = Schemas['IdentityChange'];

/** A student's own document, and one in the office's list. */
export type StudentDocument = Schemas['Document'];
export type DocumentType = Schemas['DocumentType'];
export type DocumentStatus = Schemas['DocumentStatus'];
export type DocumentUsage = Schemas['DocumentUsage'];
export type ListedDocument = Schemas['ListedDocument'];

export type Dashboard = Schemas['Dashboard'];

/** What a person reads after a request: 200 and every failure carry it. */
export type Answer = Schemas['ErrorBody'];

/** What the server writes into the page so that the first screen needs no request. */
export type Boot = { school: School; courses?: Course[] };

export type CourseType = Schemas['CourseType'];
export type CourseInput = Schemas['CourseInput'];

/** What a visitor wrote, as the office reads it. */
export type ContactMessage = Schemas['ContactMessage'];
export type MessageStatus = Schemas['MessageStatus'];

/** What the office marks a message as: each is an address of its own. */
export type MessageMark = { [Path in keyof paths]: Path extends `/api/admin/messages/{id}/${infer Mark}` ? Mark : never }[keyof paths];

export type AdmissionRequest = Schemas['AdmissionRequest'];
export type AdmissionRequestStatus = Schemas['AdmissionRequestStatus'];

/** What became of an e-mail, as the office sees it. */
export type MailRecord = Schemas['MailRecord'];
export type EmailStatus = Schemas['EmailStatus'];
