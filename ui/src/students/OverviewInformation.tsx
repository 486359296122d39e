// Personal Information (section 2): six facts; empty ones say so.
import { Link } from 'react-router';
import type { Student } from '../api-types.ts';
import { dateText } from '../dates.ts';
import { paths } from '../paths.ts';
import { canadianStatuses, choiceText, notProvided } from './choices.ts';
import { addressText } from './profile.ts';
import { ProfileFact } from './ProfileFact.tsx';

export function OverviewInformation({ student, isWide }: { student: Student; isWide: boolean }) {
  return (
    <section className={isWide ? 'card' : 'card half'} aria-labelledby="personal-information">
      <div className="row card-head">
        <h2 id="personal-information">Personal Information</h2>
        <Link className="card-link" to={paths.studentDashboard('profile')}>Details</Link>
      </div>
      <dl className="grid">
        <ProfileFact term="Full name" value={student.fullName} />
        <ProfileFact term="Email" value={student.email} />
        <ProfileFact term="Phone" value={student.phoneNumber} />
        <ProfileFact term="Date of birth" value={dateText(student.dateOfBirth, notProvided)} />
        <ProfileFact term="Address" value={addressText(student)} />
        <ProfileFact term="Canadian status" value={choiceText(canadianStatuses, student.canadianStatus)} />
      </dl>
    </section>
  );
}
