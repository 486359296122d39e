// The profile, read-only, with an edit button (section 2, Profile).
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useStudent } from '../accounts/signedIn.ts';
import { Icon } from '../components/Icon.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { notProvided } from './choices.ts';
import { FamilyPageChoice } from './FamilyPageChoice.tsx';
import { GuardianFacts } from './GuardianFacts.tsx';
import { profileParts, profileText } from './profile.ts';
import { ProfileEmailNotice } from './ProfileEmailNotice.tsx';
import { ProfileFact } from './ProfileFact.tsx';
import { ownGuardiansQuery } from './queries.ts';

export function ProfileTab() {
  const student = useStudent();
  const { timeZone } = useSchool();
  const { part, open, close } = useDialogPart(() => import('./ProfileDialog.tsx'));
  const heading = useRef<HTMLHeadingElement>(null);

  function finish() {
    flushSync(close);
    heading.current?.focus();
  }

  return (
    <>
      <header className="row panel-head">
        <h2 ref={heading} tabIndex={-1}>Profile</h2>
        <button type="button" className="button button-primary" onClick={open}>
          <Icon name="pencil" /> Edit Profile
        </button>
      </header>
      <ProfileEmailNotice student={student} onKept={() => heading.current?.focus()} />
      <div className="grid cards cards-wide profile">
        {profileParts.map(({ title, fields }, index) => (
          <section className="card" key={title}>
            <h3>{title}</h3>
            <dl className="grid">
              {fields.map((field) => field.term !== null && (
                <ProfileFact key={field.name} term={field.term ?? field.label} value={profileText(field, student)} />
              ))}
              {index === 0 && <ProfileFact term="Member since" value={dayText(student.createdAt, timeZone, notProvided)} />}
            </dl>
            {title === 'Parent or Guardian' && <OwnGuardians />}
          </section>
        ))}
      </div>
      {part && <part.ProfileDialog student={student} onClose={close} onSaved={finish} />}
    </>
  );
}

/** The whole list: the profile's two fields are those of the first. */
function OwnGuardians() {
  const { data: guardians } = useQuery(ownGuardiansQuery);
  const { part, open, close } = useDialogPart(() => import('./OwnGuardiansDialog.tsx'));
  if (!guardians) return null;
  return (
    <>
      {guardians.length > 1 && (
        <ul className="rows bare">
          {guardians.slice(1).map((guardian) => <li key={guardian.id}><strong dir="auto">{guardian.name}</strong><p className="muted"><GuardianFacts {...guardian} /></p></li>)}
        </ul>
      )}
      <FamilyPageChoice guardians={guardians} />
      <p><button type="button" className="button button-outline" onClick={open}>{guardians.length > 0 ? 'Edit Guardians' : 'Add a Guardian'}</button></p>
      {part && <part.OwnGuardiansDialog onSaved={close} onClose={close} />}
    </>
  );
}
