// The contact page with its form.
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const url = 'http://localhost:3000/api/contact';
const text = 'When does the Winter semester begin?';

async function fill(user: UserEvent) {
  await user.type(await screen.findByLabelText('Name'), 'Amara Okonkwo');
  await user.type(screen.getByLabelText('Email'), 'amara@mail.example');
  await user.selectOptions(screen.getByLabelText('Subject'), 'Course Information');
  await user.type(screen.getByLabelText('Message'), text);
}

function answer(body: JsonBodyType, status: number, headers: Record<string, string> = {}) {
  server.use(http.post(url, () => HttpResponse.json(body, { status, headers })));
}

const submit = () => screen.getByRole('button', { name: 'Send Message' });

it('sends the message, confirms it, and can start again', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(url, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ message: 'ok' });
    }),
  );
  const { user } = open('/contact', { school });
  await fill(user);
  await user.click(submit());
  expect(await screen.findByRole('heading', { name: 'Message Sent' })).toHaveFocus();
  expect(screen.getByText('Thank you for your message. A confirmation email has been sent to your inbox.')).toBeVisible();
  expect(sent).toEqual([
    { name: 'Amara Okonkwo', email: 'amara@mail.example', phone: '', subject: 'courses', message: text },
  ]);
  await user.click(screen.getByRole('button', { name: 'Send Another Message' }));
  expect(screen.getByLabelText('Message')).toHaveValue('');
  expect(screen.getByRole('heading', { name: 'Send a Message' })).toHaveFocus();
});

it('lists what is wrong, takes the focus there, leads to the fields, and listens to corrections', async () => {
  const { user } = open('/contact', { school });
  await screen.findByLabelText('Name');
  await user.click(submit());
  const summary = await screen.findByRole('alert');
  expect(summary).toHaveFocus();
  expect(within(summary).getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Name must be at least 2 characters',
    'Please enter a valid email address',
    'Please select a subject',
    'Message must be at least 10 characters',
  ]);
  await user.click(within(summary).getByRole('link', { name: 'Please select a subject' }));
  expect(screen.getByLabelText('Subject')).toHaveFocus();
  const name = screen.getByLabelText('Name');
  expect(name).toHaveAccessibleDescription('Name must be at least 2 characters');
  await user.type(name, 'Al');
  await waitFor(() => expect(name).not.toBeInvalid());
});

it('sends one request however often it is pressed', async () => {
  let requests = 0;
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  server.use(
    http.post(url, async () => {
      requests += 1;
      await held;
      return HttpResponse.json({ message: 'ok' });
    }),
  );
  const { user } = open('/contact', { school });
  await fill(user);
  await user.dblClick(submit());
  await user.click(screen.getByRole('button', { name: 'Sending...' }));
  await user.type(screen.getByLabelText('Name'), '{Enter}');
  release?.();
  await screen.findByRole('heading', { name: 'Message Sent' });
  expect(requests).toBe(1);
});

it('keeps what was typed when the server fails, says what to do, and sends again', async () => {
  answer('<h1>boom</h1>', 500);
  const { user } = open('/contact', { school });
  await fill(user);
  await user.click(submit());
  expect(await screen.findByRole('alert')).toHaveTextContent(/not sent.*still here.*office@northgate\.example/);
  expect(screen.queryByText(/boom/)).not.toBeInTheDocument();
  expect(screen.getByLabelText('Message')).toHaveValue(text);
  expect(screen.getByLabelText('Subject')).toHaveValue('courses');
  answer({ message: 'ok' }, 200);
  await user.click(submit());
  expect(await screen.findByRole('heading', { name: 'Message Sent' })).toBeVisible();
});

it('says so when the server cannot be reached', async () => {
  server.use(http.post(url, () => HttpResponse.error()));
  const { user } = open('/contact', { school });
  await fill(user);
  await user.click(submit());
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be reached');
  expect(screen.getByLabelText('Message')).toHaveValue(text);
});

it.each([
  [{ message: 'Too many attempts. Please wait 2 minutes, then try again.' }, 'Too many attempts. Please wait 2 minutes, then try again. What you wrote is still here.'],
  [{}, 'Too many messages were sent from your network. Please wait 2 minutes, then send it again. What you wrote is still here.'],
])('says how long to wait after too many messages', async (body, words) => {
  answer(body, 429, { 'Retry-After': '90' });
  const { user } = open('/contact', { school });
  await fill(user);
  await user.click(submit());
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
});

it('puts the server’s messages on their fields', async () => {
  answer({ message: 'Please correct it.', fields: { phone: 'Must be at most 50 characters' } }, 400);
  const { user } = open('/contact', { school });
  await fill(user);
  await user.click(submit());
  expect(await screen.findByRole('alert')).toHaveFocus();
  expect(screen.getByLabelText('Phone (optional)')).toHaveAccessibleDescription('Must be at most 50 characters');
});

it.each([['admission', 'Admission Inquiry'], ['other', 'Other'], ['nonsense', 'Select a subject']])(
  'chooses the subject that ?subject=%s names',
  async (value, label) => {
    open(`/contact?subject=${value}`, { school });
    expect(await screen.findByLabelText('Subject')).toHaveDisplayValue(label);
  },
);
