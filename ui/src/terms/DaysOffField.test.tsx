import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DaysOffField } from './DaysOffField.tsx';

function Term({ text }: { text: string }) {
  const [daysOff, setDaysOff] = useState(text);
  return <DaysOffField field={{ id: 'days', error: undefined }} text={daysOff} term={{ startsOn: '2027-01-04', endsOn: '2027-04-30' }} onChange={setDaysOff} />;
}

const runs = () => screen.queryAllByRole('listitem').map((item) => item.textContent);

test('days off are added as a day or a range, by button and by key, once each', async () => {
  const user = userEvent.setup();
  render(<Term text="2027-02-15" />);
  await user.type(screen.getByLabelText('From'), '2027-02-16');
  await user.type(screen.getByLabelText('To (for several days)'), '2027-02-17{Enter}');
  expect(runs()).toEqual(['Mon, Feb 15, 2027 – Wed, Feb 17, 2027 (3 days)']);
  await user.type(screen.getByLabelText('From'), '2027-05-03');
  await user.click(screen.getByRole('button', { name: 'Add Days Off' }));
  expect(runs()[1]).toBe('Mon, May 3, 2027 outside of the term');
  expect(screen.getByRole('status')).toHaveTextContent('4 days without classes:');
  await user.click(screen.getByRole('button', { name: 'Remove Mon, May 3, 2027' }));
  expect(runs()).toHaveLength(1);
});

test('what cannot be added is said, and a line that is no date stays in the list', async () => {
  const user = userEvent.setup();
  render(<Term text="Family Day" />);
  await user.click(screen.getByRole('button', { name: 'Add Days Off' }));
  expect(screen.getByText('Choose a day')).toBeVisible();
  await user.type(screen.getByLabelText('From'), '2027-02-16');
  await user.type(screen.getByLabelText('To (for several days)'), '2027-02-15');
  await user.click(screen.getByRole('button', { name: 'Add Days Off' }));
  expect(screen.getByText(/must not be before the first/)).toBeVisible();
  await user.clear(screen.getByLabelText('To (for several days)'));
  await user.click(screen.getByRole('button', { name: 'Add Days Off' }));
  expect(runs()).toEqual(['Tue, Feb 16, 2027']);
  expect(screen.getByLabelText('Days off as a list')).toHaveValue('2027-02-16\nFamily Day');
});
