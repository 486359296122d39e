// The middle of the Privacy Policy: student records, cookies, links and children.
import type { LegalSection } from './LegalText.tsx';

export const privacyOfStudents: LegalSection[] = [
  {
    id: 'records',
    title: 'Student Records',
    text: (
      <p>
        Enrollments, marks and credits form a student’s record. Students see their own and nobody else’s. Documents can
        be opened by the student who uploaded them and by staff; each view by staff is written into the audit trail.
        Ontario’s rules decide how long a school keeps its records.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    text: (
      <>
        <p>
          We use strictly necessary cookies and no others. One keeps you signed in; it holds a random number and nothing
          about you. Another tells the server that you logged in with this browser before, so that nobody who guesses at
          your password keeps you out; it names nobody and opens nothing. Scripts can read neither. There are no
          tracking cookies, so there is nothing to accept or refuse.
        </p>
        <p>
          Your browser also remembers, for as long as a tab stays open, how far you had scrolled on each page. This is
          never sent to us.
        </p>
      </>
    ),
  },
  {
    id: 'links',
    title: 'Third-Party Links',
    text: (
      <p>
        Some pages link to other sites: a map on OpenStreetMap, and the school’s social media pages where it has any.
        They are plain links. Nothing of those sites is embedded here, and they learn of your visit only if you follow the
        link. Their own policies apply there.
      </p>
    ),
  },
  {
    id: 'children',
    title: 'Children’s Privacy',
    text: (
      <p>
        Many of our students are under 18. We ask for no more than a school needs, and we ask parents or guardians to open
        the account together with a younger student. A parent or guardian may ask to see and correct what we hold about
        their child, as the law provides.
      </p>
    ),
  },
];
