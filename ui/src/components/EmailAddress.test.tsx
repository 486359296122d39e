// Line breaks in email addresses in tables.
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { EmailAddress } from './EmailAddress.tsx';

/** The address with a space at each line break opportunity, and round brackets around breakable words. */
function breaksOf(address: string): string {
  const { container } = render(<EmailAddress address={address} />);
  expect(container).toHaveTextContent(address);
  return [...container.querySelectorAll('wbr, span')]
    .map((part) => (part.matches('wbr') ? ' ' : part.matches('.email-part') ? part.textContent : `(${part.textContent})`))
    .join('');
}

describe('an email address', () => {
  it('breaks behind its @ and nowhere else while both halves are short', () => {
    expect(breaksOf('wilhelmina-constance.featherstone@mail.example')).toBe('wilhelmina-constance.featherstone@ mail.example');
  });

  it('breaks a long half behind its dots', () => {
    expect(breaksOf('zoe@students.northern-lights-secondary.ontario.example')).toBe('zoe@ students. northern-lights-secondary. ontario. example');
    expect(breaksOf('wilhelmina.constance.of-the-second-floor@mail.example')).toBe('wilhelmina. constance. of-the-second-floor@ mail.example');
  });

  it('lets only a word that fits no column break inside itself', () => {
    const word = 'w'.repeat(40);
    expect(breaksOf(`${word}@mail.example`)).toBe(`(${word}@) mail.example`);
    expect(breaksOf(`zoe@${word}.example`)).toBe(`zoe@ (${word}.) example`);
  });
});
