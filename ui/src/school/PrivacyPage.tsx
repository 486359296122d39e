// Privacy Policy: eleven numbered sections in the order of the specification, section 2.
// It states what this software does; whoever changes what is stored changes this text too.
import type { School } from '../api-types.ts';
import { When } from '../template.tsx';
import { EmailLink } from './EmailLink.tsx';
import { LegalText, type LegalSection } from './LegalText.tsx';
import { privacyOfStudents } from './privacyOfStudents.tsx';
import { useSchool } from './queries.ts';

export function PrivacyPage() {
  const school = useSchool();
  return (
    <LegalText
      title="Privacy Policy"
      lead={`What ${school.name} keeps about the people who use this site, why, and who may see it.`}
      sections={[...privacyOfData, ...privacyOfStudents, ...privacyOfPeople(school)]}
    />
  );
}

const privacyOfData: LegalSection[] = [
  {
    id: 'collected',
    title: 'Information We Collect',
    text: (
      <>
        <p>You can read every public page without telling us who you are. We store only what you give us:</p>
        <ul>
          <li><strong>Messages.</strong> Your name, your email address, your telephone number if you give one, the subject and the text.</li>
          <li><strong>A student account.</strong> An email address and a password. The password itself is never stored, only a hash of it (Argon2id) from which it cannot be read back.</li>
          <li><strong>A student profile.</strong> Name, date of birth, gender, status in Canada, address, telephone number, and, if given, a parent’s name and contact and the last school and grade.</li>
          <li><strong>Documents</strong> that a student uploads, such as identification and a transcript.</li>
          <li><strong>Enrollments.</strong> The courses a student asked for, their dates and their state.</li>
        </ul>
        <p>
          With it we keep when you gave it and when it changed, which version of this policy and of the terms you
          accepted, and the kind of device on which you are signed in.
        </p>
        <p>
          Beside this we keep an audit trail of what staff do: who changed what and when, including each time that a
          member of staff views a student’s document.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'How We Use Information',
    text: (
      <>
        <p>
          We use it to answer messages, to confirm who a student is, to decide about enrollments, to teach and to grant
          credits, to keep the records that a school must keep, and to send the emails that belong to these: a
          confirmation, a link to verify an address, a decision.
        </p>
        <p>
          We do not use it for advertising. There is no analytics on this site and no profile of visitors. To slow down
          abuse, the server counts recent attempts by network address. Failed logins are counted under a key from which
          no address can be read back, and forgotten within a day; other counts live in the server’s memory only.
        </p>
      </>
    ),
  },
  {
    id: 'disclosure',
    title: 'Disclosure',
    text: (
      <>
        <p>
          We do not sell or rent personal information. It is seen by the members of staff whose work needs it. We pass
          it on only where the school’s task or the law requires it, for example to the Ministry of Education for a
          student’s record, or where you ask us to, for example to a university.
        </p>
        <p>Emails travel through the school’s mail service to your own, as all email does.</p>
      </>
    ),
  },
  {
    id: 'protection',
    title: 'How We Protect Information',
    text: (
      <>
        <p>
          Everything is kept on the school’s own server and in the school’s own backups, not with a cloud platform or an
          advertising network. Passwords are kept as Argon2id hashes. Staff have accounts of their own with roles that
          limit what they may do. The pages of this site load nothing from anywhere else.
        </p>
        <p>No system is perfect. If something happens that puts your information at risk, we will tell you.</p>
      </>
    ),
  },
];

function privacyOfPeople(school: School): LegalSection[] {
  return [
    {
      id: 'rights',
      title: 'Your Rights',
      text: (
        <p>
          You may ask what we hold about you, have it corrected, and withdraw your consent. Students can see and edit
          their profile themselves, download everything we hold about them, and ask to have their account closed. We
          answer within 30 days. We delete what we no longer need on request; records that the law requires a school
          to keep, such as credits, cannot be deleted. If our answer does not satisfy you, you may complain to the
          Office of the Privacy Commissioner of Canada.
        </p>
      ),
    },
    {
      id: 'changes',
      title: 'Changes to This Policy',
      text: (
        <p>
          If we change this policy, we change the date at the top of this page. If a change concerns what we already hold
          about students, we also write to them.
        </p>
      ),
    },
    {
      id: 'contact',
      title: 'Contact',
      text: (
        <p>
          For anything about privacy write to{' '}
          <EmailLink school={school} />
          <When is={school.phone} template="school.phone">
            <span>, call </span>
            <a href={school.phoneLink}>{school.phone}</a>
          </When>
          <When is={school.phone && school.hours} template="school.phone and school.hours">
            <span>{` (${school.hours})`}</span>
          </When>
          <When is={school.mapLink} template="school.mapLink">
            <span>{`, or send a letter to ${school.name}, ${school.address.street}, ${school.address.city}, ${school.address.province} ${school.address.postalCode}`}</span>
          </When>
          <span>.</span>
        </p>
      ),
    },
  ];
}
