// The details of an expanded row, for deciding without leaving the list.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '../../accounts/signedIn.ts';
import type { OfficeEnrollment } from '../../api-types.ts';
import { EmailAddress } from '../../components/EmailAddress.tsx';
import { DocumentLink } from '../../components/GuardedLinks.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { SectionHours } from '../../courses/SectionHours.tsx';
import { dateText, dayText } from '../../dates.ts';
import { documentAddress, documentTypes } from '../../documents/types.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';
import { useSchool } from '../../school/queries.ts';
import { otherPrice } from '../fees.ts';
import { isOpenQuestion, prerequisiteWords } from '../prerequisites.ts';
import { missingText } from './bulk.ts';
import { repeatText } from './repeat.ts';
import { studentFileQuery } from './studentFile.ts';

const changed = 'Personal details changed after an approval';

export function EnrollmentDetail({ enrollment: row }: { enrollment: OfficeEnrollment }) {
  const { timeZone } = useSchool();
  const mayDecide = useUser().duties.includes('enrollments');
  const other = otherPrice(row);
  const { data: file, isPending, isError } = useQuery(studentFileQuery(row.studentId));
  return (
    <div className="grid enrollment-detail">
      <dl className="pairs">
        <div><dt>Email</dt><dd><EmailAddress address={row.studentEmail} /></dd></div>
        <div><dt>Requested</dt><dd>{dayText(row.requestedAt, timeZone, '–')}</dd></div>
        <div><dt>Price</dt><dd>{`${moneyText(row.chargedPrice ?? row.price, 'Not set')}${other ? `, ${other.full}` : ''}`}</dd></div>
        {row.section && <div><dt>Section</dt><dd><SectionHours section={row.section} startsOn={row.startDate} endsOn={row.endDate} /></dd></div>}
        {row.prerequisite && <div><dt>Prerequisite</dt><dd className={isOpenQuestion(row.prerequisite) ? 'flag' : undefined} dir="auto">{prerequisiteWords(row.prerequisite)}</dd></div>}
        {row.repeat && <div><dt>Repeat</dt><dd>{repeatText(row)}</dd></div>}
        {row.status === 'active' && Boolean(row.transferredFrom) && row.missing.includes('guardian') && <div><dt>Guardian</dt><dd>Asked again, as the class is another one</dd></div>}
        {row.missing.length > 0 && <div><dt>Missing</dt><dd className="flag">{missingText(row.missing)}</dd></div>}
        {!row.documents && <div><dt>Documents</dt><dd>–</dd></div>}
        {row.identityChanged && <div><dt>Identity</dt><dd className="flag">{mayDecide ? <Link to={officePaths.identityChanges}>{changed}</Link> : changed}</dd></div>}
        {row.leaveReason && <div><dt>Wants to leave</dt><dd dir="auto">{row.leaveReason}</dd></div>}
        {row.reason && <div><dt>Reason</dt><dd dir="auto">{row.reason}</dd></div>}
      </dl>
      {isPending && <Spinner label="Loading the student..." />}
      {isError && <p role="alert">The student’s record could not be loaded.</p>}
      {file && (
        <dl className="pairs">
          <div>
            <dt>Other courses</dt>
            <dd>
              <span>{file.enrollments.length <= 1 ? 'None' : ''}</span>
              <ul>
                {file.enrollments.filter(({ id }) => id !== row.id).map(({ id, course, status, startDate }) => (
                  <li key={id}><span>{`${course.code} `}</span><StatusBadge status={status} /> <small>{dateText(startDate, '')}</small></li>
                ))}
              </ul>
            </dd>
          </div>
          {file.money && <div><dt>Total owed</dt><dd>{moneyText(file.money.balance, '$0.00')}</dd></div>}
          {file.documents && (
            <div>
              <dt>Documents</dt>
              <dd>
                <span>{file.documents.length === 0 ? 'None' : ''}</span>
                <ul>
                  {file.documents.map(({ id, documentType }) => (
                    <li key={id}><DocumentLink href={documentAddress(id)}>{documentTypes[documentType]}</DocumentLink></li>
                  ))}
                </ul>
              </dd>
            </div>
          )}
          <div><dt>Student</dt><dd><Link to={officePaths.student(row.studentId)}>Open the full record</Link></dd></div>
        </dl>
      )}
    </div>
  );
}
