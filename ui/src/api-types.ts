// The shapes that travel between the server and the interface. They are made from the server's own
// description (openapi.json → openapi.ts), so the two sides cannot drift; here they get their names.
import type { components, paths } from './openapi.ts';

type Schemas = components['schemas'];

export type Grade = Schemas['Grade'];

export type School = Schemas['PublicSchool'];
/** A semester as the office writes it, and one that a request may name now. */
export type Semester = Schemas['Semester'];

/** What people read before they agree to anything: its kind, and one with its words. */
export type TextKind = Schemas['TextKind'];
export type SchoolText = Schemas['SchoolText'];

export type OfferedSemester = Schemas['OfferedSemester'];
export type Picture = Schemas['Picture'];

export type Course = Schemas['Course'];
export type Subject = Schemas['Subject'];

/** Everything about one course; one that is no longer offered; and enough of one to lead there. */
export type CourseDetails = Schemas['CourseDetails'];
export type ArchivedCourse = Schemas['ArchivedCourse'];
export type CourseLink = Schemas['CourseLink'];
/** What a code stands for: the code alone is no course. */
export type OneCourse = CourseDetails | ArchivedCourse | { code: string };

/** A course as the office sees it, with its seats; the page of one; who takes it, and who would like to. */
export type OfficeCourse = Schemas['OfficeCourse'];
export type CourseRow = Schemas['CourseRow'];
export type CourseWithLine = Schemas['CoursePage'];
export type Waiting = Schemas['Waiting'];
export type ClassMember = Schemas['ClassMember'];

export type ContactSubject = Schemas['ContactSubject'];

export type Student = Schemas['Student'];
export type Gender = Schemas['Gender'];
export type CanadianStatus = Schemas['CanadianStatus'];
export type Province = Schemas['Province'];

export type User = Schemas['User'];

/** Somebody of the office as administrators see them, and who was invited. */
export type StaffRow = Schemas['StaffRow'];
export type StaffInvitation = Schemas['StaffInvitation'];
export type Role = Schemas['Role'];

/** What somebody did or looked at, and whether the trail is whole. */
export type AuditEntry = Schemas['AuditEntry'];
export type Chain = Schemas['Chain'];

/** A device on which an account is signed in. */
export type SignedIn = Schemas['SignedIn'];
export type PasswordChange = Schemas['PasswordChange'];

export type Enrollment = Schemas['Enrollment'];
export type EnrollmentStatus = Schemas['EnrollmentStatus'];
/** What a request may name, and what goes with it. */
export type EnrollmentTerms = Schemas['EnrollmentDates'];
/** What an approval charges: the price of the request, or today's. */
export type PriceChoice = Schemas['PriceChoice'];

/** Why a request is declined, for the school's figures. */
export type DeclineCode = Schemas['DeclineCode'];
/** How a decision is taken back, while its emails wait. */
export type Undo = Schemas['Undo'];

/** An enrollment as the office sees it, and what one may lack when it is approved. */
export type OfficeEnrollment = Schemas['OfficeEnrollment'];
export type Requirement = Schemas['Requirement'];
/** What a course asks for, and what a student has of it. */
export type PrerequisiteCheck = Schemas['PrerequisiteCheck'];
export type PrerequisiteState = Schemas['PrerequisiteState'];
export type CoursePrerequisite = Schemas['CoursePrerequisite'];
/** Credits toward the diploma, and those from other schools: as the office keeps them, and as their student sees them. */
export type CreditSum = Schemas['CreditSum'];
export type ExternalCredit = Schemas['ExternalCredit'];
export type OwnCredits = Schemas['OwnCredits'];
/** An enrollment after a decision of the office. */
export type DecidedEnrollment = Schemas['Decided'];

/** An enrollment that was approved without a price and never charged. */
export type UnpricedEnrollment = Schemas['UnpricedEnrollment'];

/** A student whose name, date of birth or status in Canada changed after an approval. */
export type IdentityChange = Schemas['IdentityChange'];

/** A student's own document, and one in the office's list. */
export type StudentDocument = Schemas['Document'];
export type DocumentType = Schemas['DocumentType'];
export type DocumentStatus = Schemas['DocumentStatus'];
export type DocumentExamination = Schemas['Examination'];
export type DocumentFault = Schemas['Fault'];
export type DocumentUsage = Schemas['DocumentUsage'];
export type ListedDocument = Schemas['ListedDocument'];

/** What waits for the office, and what a new school sets up first. */
export type WaitingLine = Schemas['WaitingLine'];
export type WaitingKind = Schemas['WaitingKind'];
export type FirstStep = Schemas['FirstStep'];
export type Dashboard = Schemas['Dashboard'];

/** What a person reads after a request: 200 and every failure carry it. */
export type Answer = Schemas['ErrorBody'];

/** What the server writes into the page so that the first screen needs no request: of the catalogue, what the page shows. */
export type Boot = { school: School; courses?: Course[]; featured?: Course[]; course?: OneCourse; text?: SchoolText };

export type CourseType = Schemas['CourseType'];
/** The letter of a code that says what the course prepares for. */
export type CourseLevel = Schemas['CourseLevel'];
export type CourseInput = Schemas['CourseInput'];

/** What a visitor wrote, as the office reads it. */
export type ContactMessage = Schemas['ContactMessage'];
export type MessageStatus = Schemas['MessageStatus'];

/** What the office marks a message as: each is an address of its own. */
export type MessageMark = { [Path in keyof paths]: Path extends `/api/admin/messages/{id}/${infer Mark}` ? Mark : never }[keyof paths];

export type AdmissionRequest = Schemas['AdmissionRequest'];
export type AdmissionRequestStatus = Schemas['AdmissionRequestStatus'];

/** What became of an email, as the office sees it. */
export type MailRecord = Schemas['MailRecord'];
export type EmailStatus = Schemas['EmailStatus'];

/** A student in the office's list, and what the list is filtered by. */
export type StudentRow = Schemas['StudentRow'];
export type StudentFlag = Schemas['StudentFlag'];
export type StudentStatus = Schemas['StudentStatus'];

/** All that the school keeps of a student. */
export type StudentFile = Schemas['StudentFile'];
export type StudentRecord = Schemas['StudentRecord'];
export type RecordedEnrollment = Schemas['RecordedEnrollment'];
export type RecordedEvent = Schemas['RecordedEvent'];
export type StudentNote = Schemas['StudentNote'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type Wanted = Schemas['Wanted'];
export type GuardianHow = Schemas['GuardianHow'];
/** Which of two accounts of a student a field is kept from, where they are merged. */
export type KeptFrom = Schemas['KeptFrom'];

/** What the search from any screen of the office finds. */
export type SearchResult = Schemas['SearchResult'];

/** An email before it is sent: to one student, and to many. */
export type EmailPreview = Schemas['EmailPreview'];
export type EmailToManyPreview = Schemas['EmailToManyPreview'];

/** What somebody agreed to, and what they ask about their data. */
export type Consent = Schemas['Consent'];
export type ConsentKind = Schemas['ConsentKind'];
export type ConsentCount = Schemas['ConsentCount'];
export type PrivacyRequest = Schemas['PrivacyRequest'];
export type PrivacyRequestKind = Schemas['PrivacyRequestKind'];
export type PrivacyRequestStatus = Schemas['PrivacyRequestStatus'];
export type AskedBy = Schemas['AskedBy'];
export type ListedPrivacyRequest = Schemas['ListedPrivacyRequest'];

/** How long what is kept, what may go, and the breach book. */
export type Retention = Schemas['Retention'];
export type RetentionRule = Schemas['RetentionRule'];
export type RetentionClass = Schemas['RetentionClass'];
export type RetentionAction = Schemas['RetentionAction'];
export type RetentionSince = Schemas['RetentionSince'];
export type ProposedClass = Schemas['ProposedClass'];
export type Proposal = Schemas['Proposal'];
export type Breach = Schemas['Breach'];
export type Risk = Schemas['Risk'];

/** What the office gives the site. */
export type Settings = Schemas['Settings'];
export type SettingsInput = Schemas['SettingsInput'];
export type SettingsPage = Schemas['SettingsPage'];
export type ListedVersion = Schemas['ListedVersion'];
export type UploadedPicture = Schemas['UploadedPicture'];
export type Day = Schemas['Day'];
