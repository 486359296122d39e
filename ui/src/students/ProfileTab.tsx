// All fields of the profile, read-only, and the way to change them (section 2, Profile).
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReactNode } from 'react';
import { Icon } from '../components/Icon.tsx';
import { dateText, dayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { canadianStatuses, choiceText, countryText, genders, notProvided, provinces } from './profile.ts';
import { ProfileDialog } from './ProfileDialog.tsx';
import { ProfileEmailNotice } from './ProfileEmailNotice.tsx';
import { ProfileFact } from './ProfileFact.tsx';
import { useStudent } from './useStudent.ts';

export function ProfileTab() {
  const student = useStudent();
  const { timeZone } = useSchool();
  const [isEditing, setIsEditing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  function finish() {
    flushSync(() => setIsEditing(false));
    heading.current?.focus();
  }

  return (
    <>
      <header className="panel-head">
        <h2 ref={heading} tabIndex={-1}>Profile</h2>
        <button type="button" className="button button-primary" onClick={() => setIsEditing(true)}>
          <Icon name="pencil" /> Edit Profile
        </button>
      </header>
      <ProfileEmailNotice student={student} onKept={() => heading.current?.focus()} />
      <div className="profile">
        <Part title="About You">
          <ProfileFact term="Full name" value={student.fullName} />
          <ProfileFact term="Date of birth" value={dateText(student.dateOfBirth, notProvided)} />
          <ProfileFact term="Gender" value={choiceText(genders, student.gender)} />
          <ProfileFact term="Canadian status" value={choiceText(canadianStatuses, student.canadianStatus)} />
          <ProfileFact term="Member since" value={dayText(student.createdAt, timeZone, notProvided)} />
        </Part>
        <Part title="Contact">
          <ProfileFact term="Email" value={student.email} />
          <ProfileFact term="Phone" value={student.phoneNumber} />
          <ProfileFact term="Country" value={countryText(student.country)} />
          <ProfileFact term="Address" value={student.address} />
          <ProfileFact term="City" value={student.city} />
          <ProfileFact term="Province" value={choiceText(provinces, student.province)} />
          <ProfileFact term="Postal code" value={student.postalCode} />
        </Part>
        <Part title="Parent or Guardian">
          <ProfileFact term="Parent name" value={student.parentName} />
          <ProfileFact term="Parent contact" value={student.parentContact} />
        </Part>
        <Part title="Previous School">
          <ProfileFact term="Last school" value={student.lastSchool} />
          <ProfileFact term="Last grade completed" value={student.lastGradeCompleted} />
          <ProfileFact term="Transferring credits" value={student.transferringCredits ? 'Yes' : 'No'} />
        </Part>
      </div>
      {isEditing && <ProfileDialog student={student} onClose={() => setIsEditing(false)} onSaved={finish} />}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h3>{title}</h3>
      <dl className="facts">{children}</dl>
    </section>
  );
}
