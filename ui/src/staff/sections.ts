// The office's sections, and the duty that each of them asks for: what a role may not read is offered
// nowhere, and an address that was typed or kept says so instead of showing a failure.
import type { User } from '../api-types.ts';
import type { IconName } from '../components/Icon.tsx';
import { paths } from '../paths.ts';

export type Duty = User['duties'][number];

export type Section = {
  to: string;
  label: string;
  icon: IconName;
  /** Who may enter, and what those read who may not: "Your role does not include …". */
  only?: { duty: Duty; what: string };
};

export const groups: { label: string; sections: Section[] }[] = [
  {
    label: 'Today',
    sections: [
      { to: paths.adminDashboard, label: 'Dashboard', icon: 'grid' },
      {
        to: paths.adminRequests,
        label: 'Admission Requests',
        icon: 'inbox',
        only: { duty: 'admissions', what: 'admission requests' },
      },
      { to: paths.adminCharges, label: 'Charges to Post', icon: 'dollar' },
      {
        to: paths.adminIdentityChanges,
        label: 'Identity Changes',
        icon: 'badge',
        only: { duty: 'enrollments', what: 'changes of students’ personal details' },
      },
      { to: paths.adminMessages, label: 'Messages', icon: 'mail', only: { duty: 'messages', what: 'visitors’ messages' } },
    ],
  },
  {
    label: 'Records',
    sections: [
      { to: paths.adminCourses, label: 'Courses', icon: 'book' },
      { to: paths.adminDocuments(), label: 'Documents', icon: 'file', only: { duty: 'documents', what: 'students’ documents' } },
      { to: paths.adminMail(), label: 'Mail', icon: 'send', only: { duty: 'mail', what: 'the school’s mail' } },
    ],
  },
  { label: 'You', sections: [{ to: paths.adminAccount, label: 'Account', icon: 'user' }] },
];

export function mayEnter(user: User | null | undefined, { only }: Section): boolean {
  return !only || (user?.duties.includes(only.duty) ?? false);
}

/** The section at an address whose pages the user may not read, if it is one. */
export function closedSection(user: User, pathname: string): Section | undefined {
  return groups.flatMap(({ sections }) => sections).find((section) => section.to === pathname && !mayEnter(user, section));
}
