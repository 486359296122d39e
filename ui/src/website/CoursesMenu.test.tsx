// The Courses dropdown of the header.
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';

describe('the Courses dropdown', () => {
  let user: ReturnType<typeof open>['user'];
  let button: HTMLElement;

  beforeEach(async () => {
    ({ user } = open('/about', { school, courses: [] }));
    button = await screen.findByRole('button', { name: 'Courses' });
  });

  const isOpen = () => button.getAttribute('aria-expanded') === 'true';

  it('discloses the four grades', async () => {
    expect(screen.queryByRole('link', { name: 'Grade 9' })).not.toBeInTheDocument();
    await user.click(button);
    expect(isOpen()).toBe(true);
    expect(screen.getByRole('link', { name: 'Grade 12' })).toHaveAttribute('href', '/courses?grade=12');
  });

  it('closes on Escape and gives the focus back', async () => {
    await user.click(button);
    await user.tab();
    await user.keyboard('{Escape}');
    expect(isOpen()).toBe(false);
    expect(button).toHaveFocus();
  });

  it('closes when the keyboard leaves it', async () => {
    await user.click(button);
    await user.tab();
    await user.tab();
    expect(isOpen()).toBe(true);
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    expect(isOpen()).toBe(false);
  });

  it('closes when something else is pressed, and when a grade is chosen', async () => {
    await user.click(button);
    await user.click(document.body);
    expect(isOpen()).toBe(false);
    await user.click(button);
    await user.click(screen.getByRole('link', { name: 'Grade 10' }));
    expect(isOpen()).toBe(false);
  });
});
