// Names for the wire types that are generated from the server's OpenAPI document.
import type { components } from './openapi.ts';

type Schemas = components['schemas'];

export type Grade = Schemas['Grade'];

export type School = Schemas['PublicSchool'];
/** A semester in the settings, and one open for requests. */
export type Semester = Schemas['Semester'];

/** A legal text: its kind, and the text itself. */
export type TextKind = Schemas['TextKind'];
export type SchoolText = Schemas['SchoolText'];

export type OfferedSemester = Schemas['OfferedSemester'];
export type Picture = Schemas['Picture'];

/** Whether it has open sections is said in the catalogue. */
export type Course = Schemas['Course'] & Partial<Pick<Schemas['CatalogueCourse'], 'hasSections'>>;
export type Subject = Schemas['Subject'];

/** A course's full details, a withdrawn course, and a course link. */
export type CourseDetails = Schemas['CourseDetails'];
export type ArchivedCourse = Schemas['ArchivedCourse'];
export type CourseLink = Schemas['CourseLink'];
/** The course of a code, offered or withdrawn. */
export type OneCourse = CourseDetails | ArchivedCourse | { code: string };

/** A course in the office with its seats, its page, a class list row and a waiting list row. */
export type OfficeCourse = Schemas['OfficeCourse'];
export type CourseRow = Schemas['CourseRow'];
export type CourseWithWaitlist = Schemas['CoursePage'];
export type WaitlistEntry = Schemas['Waiting'];
export type ClassMember = Schemas['ClassMember'];

export type ContactSubject = Schemas['ContactSubject'];

export type Student = Schemas['Student'];
export type Gender = Schemas['Gender'];
export type CanadianStatus = Schemas['CanadianStatus'];
export type Province = Schemas['Province'];

export type User = Schemas['User'];
/** A colleague who works on something, or can. */
export type Colleague = Schemas['Colleague'];

/** A staff account as administrators see it, and an invitation. */
export type StaffRow = Schemas['StaffRow'];
export type StaffInvitation = Schemas['StaffInvitation'];
export type Role = Schemas['Role'];

/** An entry of the audit trail, and the state of its hash chain. */
export type AuditEntry = Schemas['AuditEntry'];
export type Chain = Schemas['Chain'];

/** A signed-in device. */
export type SignedIn = Schemas['SignedIn'];
export type PasswordChange = Schemas['PasswordChange'];

export type Enrollment = Schemas['Enrollment'];
export type EnrollmentStatus = Schemas['EnrollmentStatus'];
/** The options and terms of an enrollment request. */
export type EnrollmentTerms = Schemas['EnrollmentDates'];
/** The price that an approval charges: quoted or current. */
export type PriceChoice = Schemas['PriceChoice'];

/** The category of a decline, for statistics. */
export type DeclineCode = Schemas['DeclineCode'];
/** A payment, and what one enrollment or admission comes to. */
export type Payment = Schemas['Payment'];
export type BankColumns = Schemas['BankColumns'];
export type BankImport = Schemas['BankImport'];
export type BankLine = Schemas['BankLine'];
export type BankStatement = Schemas['BankStatement'];
export type KnownPayment = Schemas['KnownPayment'];
export type LeftOut = Schemas['LeftOut'];
export type MatchReason = Schemas['MatchReason'];
export type LineResult = Schemas['LineResult'];
export type PaymentMethod = Schemas['PaymentMethod'];
export type ItemFees = Schemas['ItemFees'];
export type BalanceRow = Schemas['BalanceRow'];
export type MoneySummary = Schemas['MoneySummary'];
export type DayTotal = Schemas['DayTotal'];
export type LedgerEntry = Schemas['LedgerEntry'];
export type Payout = Schemas['Payout'];
export type Invoice = Schemas['ListedInvoice'];
export type InvoiceState = Schemas['InvoiceState'];
export type Invoicings = Schemas['Invoicings'];
export type StudentLedger = Schemas['StudentLedger'];
export type Deposit = Schemas['Deposit'];
export type MonthTotal = Schemas['MonthTotal'];
/** A version of a refund policy, what it proposes, and what is to be paid back by when. */
export type RefundPolicy = Schemas['RefundPolicy'];
export type RefundProposal = Schemas['RefundProposal'];
export type RefundDue = Schemas['RefundDue'];
/** Whether a family is reminded of what it owes, and what becomes of a reminder. */
export type Reminder = Schemas['Reminder'];
export type ReminderRow = Schemas['ReminderRow'];
export type ReminderMode = Schemas['ReminderMode'];
export type StudentReminders = Schemas['StudentReminders'];
export type MoneySettingsPage = Schemas['MoneySettingsPage'];
export type OwnFees = Schemas['OwnFees'];
/** How to undo a decision while its emails wait. */
export type Undo = Schemas['Undo'];

/** An enrollment in the office, and a requirement that an approval can override. */
export type OfficeEnrollment = Schemas['OfficeEnrollment'];
export type Requirement = Schemas['Requirement'];
/** A course's prerequisite, checked for a student. */
export type PrerequisiteCheck = Schemas['PrerequisiteCheck'];
export type PrerequisiteState = Schemas['PrerequisiteState'];
export type CoursePrerequisite = Schemas['CoursePrerequisite'];
/** Credits toward the diploma, and external credits as the office and the student see them. */
export type CreditSum = Schemas['CreditSum'];
export type ExternalCredit = Schemas['ExternalCredit'];
export type OwnCredits = Schemas['OwnCredits'];
/** An enrollment after an office decision. */
export type DecidedEnrollment = Schemas['Decided'];

/** An enrollment approved without a price and not charged yet. */
export type UnpricedEnrollment = Schemas['UnpricedEnrollment'];

/** A student whose name, date of birth or status in Canada changed after an approval. */
export type IdentityChange = Schemas['IdentityChange'];

/** A document for its student, and in the office's list. */
export type StudentDocument = Schemas['Document'];
export type DocumentType = Schemas['DocumentType'];
export type DocumentStatus = Schemas['DocumentStatus'];
export type DocumentExamination = Schemas['Examination'];
export type DocumentFault = Schemas['Fault'];
export type DocumentUsage = Schemas['DocumentUsage'];
export type ListedDocument = Schemas['ListedDocument'];
/** A document beside what it is compared with, after a decision, and why one is rejected. */
export type DocumentReview = Schemas['DocumentReview'];
export type ReviewedDocument = Schemas['ReviewedDocument'];
export type RejectCode = Schemas['RejectCode'];
/** Documents the school requires, and the students who do not need them. */
export type DocumentRequirement = Schemas['DocumentRequirement'];
export type RequirementInput = Schemas['RequirementInput'];
export type RequiredDocument = Schemas['RequiredDocument'];

/** The office's to-do counts, and a new school's first steps. */
export type WaitingLine = Schemas['WaitingLine'];
export type WaitingKind = Schemas['WaitingKind'];
export type WaitingGroup = Schemas['WaitingGroup'];
export type Assignable = Schemas['Assignable'];
export type FirstStep = Schemas['FirstStep'];
export type Dashboard = Schemas['Dashboard'];

/** A message for people, in successful and failed responses. */
export type MessageBody = Schemas['ErrorBody'];

/** The featured courses, and the number of all courses. */
export type Featured = { courses: Course[]; total: number };

/** Data embedded in the page so that the first screen needs no request. */
export type Boot = { school: School; courses?: Course[]; featured?: Featured; course?: OneCourse; text?: SchoolText };

export type CourseType = Schemas['CourseType'];
/** The level letter of a course code. */
export type CourseLevel = Schemas['CourseLevel'];
export type CourseInput = Schemas['CourseInput'];

/** A contact message in the office, with its conversation, and the replies that the office sends often. */
export type ContactMessage = Schemas['ContactMessage'];
export type MessageThread = Schemas['MessageThread'];
export type MessageStatus = Schemas['MessageStatus'];
export type ReplyTemplate = Schemas['ReplyTemplate'];

export type AdmissionRequest = Schemas['AdmissionRequest'];
export type AdmissionRequestStatus = Schemas['AdmissionRequestStatus'];

/** An email's delivery status in the office. */
export type MailRecord = Schemas['MailRecord'];
export type EmailStatus = Schemas['EmailStatus'];

/** A row of the student list, and its filters. */
export type StudentRow = Schemas['StudentRow'];
export type StudentFlag = Schemas['StudentFlag'];
export type StudentStatus = Schemas['StudentStatus'];

/** A student's complete file. */
export type StudentFile = Schemas['StudentFile'];
export type StudentRecord = Schemas['StudentRecord'];
export type RecordedEnrollment = Schemas['RecordedEnrollment'];
export type RecordedEvent = Schemas['RecordedEvent'];
export type StudentNote = Schemas['StudentNote'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type MissingItem = Schemas['Wanted'];
export type GuardianHow = Schemas['GuardianHow'];
export type Guardian = Schemas['Guardian'];
export type GuardianInput = Schemas['GuardianInput'];
export type Relationship = Schemas['Relationship'];

/** What a parent or guardian sees. */
export type Family = Schemas['Family'];
export type FamilyChild = Schemas['FamilyChild'];
export type FamilyEnrollment = Schemas['FamilyEnrollment'];
/** Which account's value a merge keeps. */
export type KeptFrom = Schemas['KeptFrom'];

/** Results of the office search. */
export type SearchResult = Schemas['SearchResult'];

/** The preview of an email to one student, and to many. */
export type EmailPreview = Schemas['EmailPreview'];
export type EmailToManyPreview = Schemas['EmailToManyPreview'];

/** A consent, and a privacy request. */
export type Consent = Schemas['Consent'];
export type ConsentKind = Schemas['ConsentKind'];
export type ConsentCount = Schemas['ConsentCount'];
export type PrivacyRequest = Schemas['PrivacyRequest'];
export type PrivacyRequestKind = Schemas['PrivacyRequestKind'];
export type PrivacyRequestStatus = Schemas['PrivacyRequestStatus'];
export type AskedBy = Schemas['AskedBy'];
export type ListedPrivacyRequest = Schemas['ListedPrivacyRequest'];

/** Retention rules, deletion proposals and the breach book. */
export type Retention = Schemas['Retention'];
export type RetentionRule = Schemas['RetentionRule'];
export type RetentionClass = Schemas['RetentionClass'];
export type RetentionAction = Schemas['RetentionAction'];
export type RetentionSince = Schemas['RetentionSince'];
export type ProposedClass = Schemas['ProposedClass'];
export type Proposal = Schemas['Proposal'];
export type Breach = Schemas['Breach'];
export type Risk = Schemas['Risk'];

/** Site settings. */
export type Settings = Schemas['Settings'];
export type SettingsInput = Schemas['SettingsInput'];
export type SettingsPage = Schemas['SettingsPage'];
export type ListedVersion = Schemas['ListedVersion'];
export type UploadedPicture = Schemas['UploadedPicture'];
export type Day = Schemas['Day'];

/** A term, a section as the office sees it, and its weekly hours. */
export type Term = Schemas['Term'];
export type TermInput = Schemas['TermInput'];
export type OfficeSection = Schemas['SectionRow'];
export type SectionInput = Schemas['SectionInput'];
export type ChangedSection = Schemas['ChangedSection'];
export type ChangedTerm = Schemas['ChangedTerm'];
export type OfficeMeeting = Schemas['Meeting'];
export type SectionStatus = Schemas['SectionStatus'];
export type SectionKind = Schemas['SectionKind'];
export type Delivery = Schemas['Delivery'];
/** An open section as families see it, that of an enrollment, and a class of a student's week. */
export type OfferedSection = Schemas['PublicSection'];
export type EnrolledSection = Schemas['EnrolledSection'];
export type WeekClass = Schemas['WeekClass'];

/** What a student's brothers and sisters owe. */
export type StudentFamily = Schemas['StudentFamily'];
