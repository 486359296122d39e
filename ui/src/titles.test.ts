// Every page's title.
import { expect, it } from 'vitest';
import { pageTitle } from './titles.ts';

const school = { name: 'Northgate Academy', tagline: 'Private secondary school, Ontario' };

it.each([
  ['/', '', 'Northgate Academy: Private secondary school, Ontario'],
  ['/about', '', 'About Us · Northgate Academy'],
  ['/about/', '', 'About Us · Northgate Academy'],
  ['/services', '', 'Our Services · Northgate Academy'],
  ['/courses', '', 'Courses · Northgate Academy'],
  ['/courses', '?grade=11', 'Grade 11 courses · Northgate Academy'],
  ['/courses', '?grade=13', 'Courses · Northgate Academy'],
  ['/contact', '?subject=admission', 'Contact Us · Northgate Academy'],
  ['/terms', '', 'Terms of Service · Northgate Academy'],
  ['/privacy', '', 'Privacy Policy · Northgate Academy'],
  ['/student/auth', '', 'Student Login · Northgate Academy'],
  ['/student/auth', '?tab=register', 'Student Login · Northgate Academy'],
  ['/student/verify/a-token_1', '', 'Verify Your Email · Northgate Academy'],
  ['/student/verify', '', 'Verify Your Email · Northgate Academy'],
  ['/student/verify/', '', 'Verify Your Email · Northgate Academy'],
  ['/student/forgot-password', '', 'Forgot Your Password · Northgate Academy'],
  ['/student/reset-password/a-token_1', '', 'Choose a New Password · Northgate Academy'],
  ['/student/choose-password/a-token_1', '', 'Choose Your Password · Northgate Academy'],
  ['/student/not-me/a-token_1', '', 'This Was Not Me · Northgate Academy'],
  ['/student/undo-email-change/a-token_1', '', 'Undo the Change of Email · Northgate Academy'],
  ['/student/choose-password', '', 'Student Login · Northgate Academy'],
  ['/admin/reset-password/a-token_1', '', 'Choose a New Password · Northgate Academy'],
  ['/admin/reset-password', '', 'Admin Login · Northgate Academy'],
  ['/student/reset-password', '', 'Student Login · Northgate Academy'],
  ['/student/dashboard', '?tab=profile', 'Student Dashboard · Northgate Academy'],
  ['/student/courses', '', 'Available Courses · Northgate Academy'],
  ['/student/account', '', 'Your Account · Northgate Academy'],
  ['/admin/account', '', 'Your Account · Northgate Academy'],
  ['/student/courses/1', '', 'Student Login · Northgate Academy'],
  ['/student', '', 'Student Login · Northgate Academy'],
  ['/students', '', 'Page Not Found · Northgate Academy'],
  ['/admin/login', '', 'Admin Login · Northgate Academy'],
  ['/admin/dashboard', '', 'Admin Portal · Northgate Academy'],
  ['/admin/courses', '', 'Course Management · Northgate Academy'],
  ['/admin/documents', '', 'Student Documents · Northgate Academy'],
  ['/admin/admission-requests', '', 'Admission Requests · Northgate Academy'],
  ['/admin/charges', '', 'Charges to Post · Northgate Academy'],
  ['/admin/identity-changes', '', 'Identity Changes · Northgate Academy'],
  ['/admin/messages', '', 'Messages · Northgate Academy'],
  ['/admin/mail', '?status=dead', 'Mail · Northgate Academy'],
  ['/admin', '', 'Admin Login · Northgate Academy'],
  ['/admin/anything/else', '', 'Admin Login · Northgate Academy'],
  ['/nowhere', '', 'Page Not Found · Northgate Academy'],
])('%s%s is titled %s', (pathname, search, title) => {
  expect(pageTitle(pathname, search, school)).toBe(title);
});
