// The applications that led to a student: what the family wrote that no other part of the page has.
import { Link } from 'react-router';
import type { StudentFile } from '../api-types.ts';
import { dayText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { ProfileFact } from '../students/ProfileFact.tsx';

type StudentApplication = NonNullable<StudentFile['applications']>[number];

export function StudentApplications({ applications }: { applications: StudentFile['applications'] }) {
  return (applications ?? []).map((application) => <Application key={application.id} application={application} />);
}

function Application({ application }: { application: StudentApplication }) {
  const { id, reference, createdAt, grade, startTerm, wantedCourses, previousSchool, language, message } = application;
  const { timeZone } = useSchool();
  return (
    <section className="ruled" aria-labelledby={`application-${id}`}>
      <h3 id={`application-${id}`}><Link to={officePaths.request(id)}>{`Application ${reference}`}</Link></h3>
      <dl className="grid">
        <ProfileFact term="Received" value={dayText(createdAt, timeZone, '')} />
        <ProfileFact term="Grade asked for" value={String(grade)} />
        <ProfileFact term="Start" value={startTerm} />
        <ProfileFact term="Courses wanted" value={wantedCourses.join(', ')} />
        <ProfileFact term="Previous school" value={previousSchool} />
        <ProfileFact term="Preferred language" value={language === 'fr' ? 'French' : 'English'} />
      </dl>
      {message && <p className="written" dir="auto">{message}</p>}
    </section>
  );
}
