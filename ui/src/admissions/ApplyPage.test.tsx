// The application for a place: what is sent, what the server refuses, and the draft.
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const url = 'http://localhost:3000/api/applications';

afterEach(() => sessionStorage.clear());

it('asks which of two ways is meant, and leads to both', async () => {
  open('/apply', { school });
  expect(await screen.findByRole('heading', { name: 'What are you looking for?' })).toBeVisible();
  expect(screen.getByRole('link', { name: /Open a Student Account/ })).toHaveAttribute('href', '/student/auth?tab=register');
  expect(screen.getByRole('link', { name: /Apply for a Place/ })).toHaveAttribute('href', '#application');
});

it('sends the names of the call, keeps what is typed when it is refused, and shows the reference', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(url, async ({ request }) => {
      sent.push(await request.json());
      const refusal = { message: 'Please check the form.', fields: { lastName: 'Last name is required', firstName: 'First name is required', consents: 'Please agree to the Privacy Policy' } };
      return sent.length === 1 ? HttpResponse.json(refusal, { status: 400 }) : HttpResponse.json({ reference: 'A-26-7QK4' }, { status: 201 });
    }),
  );
  const { user } = open('/apply', { school });
  await user.type(await screen.findByLabelText('Date of birth'), '2008-03-05');
  await user.selectOptions(screen.getByLabelText('Grade to enter'), 'Grade 12');
  await user.type(screen.getByLabelText('Courses (optional)'), 'eng4u, MHF4U');
  await user.selectOptions(screen.getByLabelText('Country'), 'Nigeria');
  const submit = screen.getByRole('button', { name: 'Send Application' });
  await user.click(submit);
  const summary = await screen.findByRole('alert');
  expect(summary).toHaveFocus();
  expect(within(summary).getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['First name is required', 'Last name is required', 'Please agree to the Privacy Policy']);
  await user.type(screen.getByLabelText('First name'), 'Mei');
  expect(screen.queryByText('First name is required')).not.toBeInTheDocument();
  await user.type(screen.getByLabelText('Last name'), 'Tanaka');
  await user.click(screen.getByRole('checkbox', { name: /I agree/ }));
  expect(sessionStorage.getItem('schoolhouse.application')).toContain('Tanaka');
  await user.dblClick(submit);
  expect(await screen.findByRole('heading', { name: 'We have your application' })).toHaveFocus();
  expect(screen.getByText('A-26-7QK4')).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual({ firstName: 'Mei', lastName: 'Tanaka', dateOfBirth: '2008-03-05', grade: 12, country: 'NG', wantedCourses: ['ENG4U', 'MHF4U'], consents: ['privacy'], askedBirthDate: '2008-03-05' });
  expect(sent[0]).toHaveProperty('askedBirthDate', '');
  await waitFor(() => expect(sessionStorage.getItem('schoolhouse.application')).toBeNull());
});

it('finds the draft again in the same tab, without the consents', async () => {
  sessionStorage.setItem('schoolhouse.application', JSON.stringify({ firstName: 'Mei', country: 'JP', consents: 'privacy', grade: '10', strange: 'x' }));
  open('/apply', { school });
  expect(await screen.findByLabelText('First name')).toHaveValue('Mei');
  expect(screen.getByLabelText('Country')).toHaveValue('JP');
  expect(screen.getByLabelText('Grade to enter')).toHaveValue('10');
  expect(screen.getByRole('checkbox', { name: /I agree/ })).not.toBeChecked();
});

it('shows the form for an address without a real reference', async () => {
  open('/apply?sent=<b>', { school });
  expect(await screen.findByRole('heading', { name: 'Application for a Place' })).toBeVisible();
});
