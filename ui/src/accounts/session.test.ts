// Destinations after login: only inside the user's portal.
import { describe, expect, it } from 'vitest';
import { destination } from './session.ts';

const after = (next: string) => `?${new URLSearchParams({ next })}`;

describe('a student who signs in', () => {
  it.each([
    ['', '/student/dashboard'],
    ['?tab=register', '/student/dashboard'],
    ['?next=', '/student/dashboard'],
    [after('/student/courses'), '/student/courses'],
    [after('/student/dashboard?tab=documents'), '/student/dashboard?tab=documents'],
    // The login itself would redirect in a loop.
    [after('/student/auth'), '/student/dashboard'],
    [after('/student/auth?tab=register'), '/student/dashboard'],
  ])('with %s goes to %s', (search, address) => {
    expect(destination('student', search)).toBe(address);
  });

  it.each([
    '//evil.example',
    '//evil.example/student/courses',
    'https://evil.example',
    'https://evil.example/student/courses',
    'HTTPS:evil.example',
    'javascript:alert(1)',
    '\\\\evil.example',
    '/\\evil.example',
    '/student/..//evil.example',
    '/student/%2e%2e//evil.example',
    '/student/../admin/dashboard',
    '/admin/dashboard',
    '/studentx/courses',
    'student/courses',
    '/',
    ' /student/courses',
  ])('is not sent to %s', (next) => {
    expect(destination('student', after(next))).toBe('/student/dashboard');
  });
});

describe('a member of the staff who signs in', () => {
  it.each([
    ['', '/admin/dashboard'],
    [after('/admin/messages?state=open'), '/admin/messages?state=open'],
    [after('/admin/login'), '/admin/dashboard'],
    [after('/student/courses'), '/admin/dashboard'],
    [after('//evil.example/admin/'), '/admin/dashboard'],
  ])('with %s goes to %s', (search, address) => {
    expect(destination('staff', search)).toBe(address);
  });
});
