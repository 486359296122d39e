// A school and a few courses to test with.
import type { Course, CourseRow, School, SchoolText, TextKind } from '../api-types.ts';

/** A zone by the browser's rules. */
export const zone = (name: string): School['timeZone'] => ({ name, offsets: [] });

export const toronto = zone('America/Toronto');

/** Toronto, if it kept its summer time in the winter of 2026: a browser does not know. */
export const keptSummer: School['timeZone'] = { ...toronto, offsets: [{ from: '2026-03-08T07:00:00Z', minutes: -240 }] };

export const school: School = {
  name: 'Northgate Academy',
  tagline: 'Private secondary school, Ontario',
  inspectionId: '880000',
  registrationNumber: '880000',
  yearsOfTeaching: 15,
  semesters: [
    {
      name: 'Winter 2027', startDate: '2027-02-01', endDate: '2027-04-30', joinUntil: '2027-02-15',
      startText: 'Monday, February 1', whenText: 'begins Monday, February 1',
    },
    {
      name: 'Spring 2027', startDate: '2027-05-03', endDate: '2027-09-03', joinUntil: '2027-05-17',
      startText: 'Monday, May 3', whenText: 'begins Monday, May 3',
    },
  ],
  foundedYear: 2008,
  address: { street: '120 Example Street, Suite 300', city: 'Toronto', province: 'ON', postalCode: 'M5V 0A0' },
  phone: '(416) 555-0142',
  phoneLink: 'tel:+1-416-555-0142',
  mapLink: 'https://www.openstreetmap.org/search?query=Toronto',
  email: 'office@northgate.example',
  hours: 'Monday to Friday, 8:30 AM to 4:30 PM',
  socialLinks: [],
  universities: ['University of Toronto'],
  questions: [],
  pictures: { hero: null, campus: [], people: [] },
  showFees: false,
  showSeats: false,
  texts: [
    { kind: 'terms', version: '7'.repeat(64), title: 'Terms of Service', url: '/terms' },
    { kind: 'privacy', version: '9'.repeat(64), title: 'Privacy Policy', url: '/privacy' },
  ],
  timeZone: toronto,
  isSample: false,
  isNamed: true,
};

export const text = (kind: TextKind, sections: SchoolText['sections']): SchoolText => ({
  kind,
  version: '7'.repeat(64),
  title: school.texts.find((each) => each.kind === kind)?.title ?? 'A text',
  url: `/${kind}`,
  updated: 'June 1, 2023',
  lead: 'What this text is about.',
  sections,
  text: '',
});

let lastId = 0;

export function course(facts: Partial<Course> & Pick<Course, 'code' | 'grade'>): Course {
  lastId += 1;
  return {
    id: lastId,
    name: `Name of ${facts.code}`,
    description: 'What the course is about.',
    prerequisite: null,
    subject: 'English',
    courseType: 'Open',
    level: 'O',
    isCompulsory: false,
    price: 549,
    credits: 1,
    isOpen: true,
    ...facts,
  };
}

/** The same as the office's lists have it. */
export function courseRow(facts: Partial<CourseRow> & Pick<Course, 'code' | 'grade'>): CourseRow {
  return { ...course(facts), capacity: null, archivedAt: null, seatsTaken: 0, seatsTakenToday: 0, active: 0, waitlistLength: 0, requests: 0, ...facts };
}
