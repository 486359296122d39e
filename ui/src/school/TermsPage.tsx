// Terms of Service: ten numbered sections in the order of the specification, section 2.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { paths } from '../paths.ts';
import { When } from '../template.tsx';
import { EmailLink } from './EmailLink.tsx';
import { LegalText, type LegalSection } from './LegalText.tsx';
import { useSchool } from './queries.ts';

export function TermsPage() {
  const school = useSchool();
  return (
    <LegalText
      title="Terms of Service"
      lead={`The agreement between ${school.name} and the people who use this site and take its courses.`}
      sections={termsSections(school)}
    />
  );
}

function termsSections(school: School): LegalSection[] {
  return [
    {
      id: 'acceptance',
      title: 'Acceptance of Terms',
      text: (
        <>
          <p>
            {`These terms apply to everyone who uses this website, opens a student account or enrolls in a course of ${school.name} (“the school”, “we”). By using the site or enrolling in a course you accept them.`}
          </p>
          <p>
            A student who is under 18 needs the agreement of a parent or guardian, who accepts these terms on the
            student’s behalf.
          </p>
        </>
      ),
    },
    {
      id: 'enrollment',
      title: 'Enrollment',
      text: (
        <>
          <p>
            A request to enroll is an application. It becomes an enrollment when the office has approved it. We may ask
            for documents first, such as identification and a transcript, to confirm the student’s identity and the
            prerequisites of the course.
          </p>
          <p>
            The information you give us must be true and complete. Enrollment that rests on false information may be
            cancelled. Students may join a course late; we then provide catch-up support for the lessons missed.
          </p>
        </>
      ),
    },
    {
      id: 'fees',
      title: 'Fees and Payment',
      text: (
        <>
          <p>
            Fees are charged for each course in Canadian dollars. They differ for synchronous and asynchronous
            delivery, and upgrade courses have reduced fees. The office states the fee, and the terms for cancelling and
            for refunds, in writing before you commit to anything.
          </p>
          <p>Fees are due by the date stated at enrollment. This website takes no payments.</p>
        </>
      ),
    },
    {
      id: 'academic-policies',
      title: 'Academic Policies',
      text: (
        <>
          <p>
            Courses follow the Ontario curriculum and its rules for assessment. A full course has 110 hours of
            instruction. A credit is granted when the student has completed the course with a final mark of 50 percent
            or higher.
          </p>
          <p>
            Work handed in must be the student’s own. Plagiarism and cheating lead to a mark of zero for the work in
            question and, if repeated, to removal from the course.
          </p>
        </>
      ),
    },
    {
      id: 'attendance',
      title: 'Attendance',
      text: (
        <p>
          Classes are live and follow a fixed schedule. Students are expected to attend every class, on time and prepared,
          and to tell the school beforehand when they cannot. Long or repeated absence without a reason may mean that the
          credit cannot be granted.
        </p>
      ),
    },
    {
      id: 'conduct',
      title: 'Code of Conduct',
      text: (
        <>
          <p>
            Everyone in the school treats the others with respect. Harassment, discrimination, threats and the
            disruption of classes are not tolerated. Classes may not be recorded or shared without the teacher’s
            permission.
          </p>
          <p>
            An account belongs to one person; its password may not be passed on. Attempts to enter other people’s accounts
            or to disturb the service lead to suspension.
          </p>
        </>
      ),
    },
    {
      id: 'privacy',
      title: 'Privacy',
      text: (
        <p>
          What this software stores, why, and who may see it is described in the{' '}
          <Link to={paths.privacy}>Privacy Policy</Link>, which is part of these terms.
        </p>
      ),
    },
    {
      id: 'liability',
      title: 'Limitation of Liability',
      text: (
        <>
          <p>
            We work to keep the site correct and available, but we cannot promise that it is free of errors or
            interruptions. Decisions on admission are made by each university alone; we do not guarantee any particular
            mark, admission or visa.
          </p>
          <p>
            To the extent that the law allows, the school is not liable for indirect damage arising from the use of this
            site, and its liability for a course is limited to the fees paid for that course. Rights that the law gives
            to consumers remain untouched.
          </p>
        </>
      ),
    },
    {
      id: 'changes',
      title: 'Changes to These Terms',
      text: (
        <p>
          We may change these terms. The date at the top of this page says when they last changed. Changes do not apply
          backwards: an enrollment that was approved before a change stays under the terms of its time unless the law
          demands otherwise.
        </p>
      ),
    },
    {
      id: 'contact',
      title: 'Contact',
      text: (
        <p>
          Questions about these terms are welcome at{' '}
          <EmailLink school={school} />
          <When is={school.phone} template="school.phone">
            <span> or </span>
            <a href={school.phoneLink}>{school.phone}</a>
          </When>
          <When is={school.hours} template="school.hours">
            <span>{`, ${school.hours}`}</span>
          </When>
          <When is={school.mapLink} template="school.mapLink">
            <span>{`, and at ${school.address.street}, ${school.address.city}, ${school.address.province} ${school.address.postalCode}`}</span>
          </When>
          <span>. These terms follow the laws of the Province of Ontario and the laws of Canada that apply there.</span>
        </p>
      ),
    },
  ];
}
