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
  ['/admin/login', '', 'Admin Login · Northgate Academy'],
  ['/nowhere', '', 'Page Not Found · Northgate Academy'],
])('%s%s is titled %s', (pathname, search, title) => {
  expect(pageTitle(pathname, search, school)).toBe(title);
});
