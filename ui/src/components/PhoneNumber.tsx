// A phone number as a tel: link if it has digits, else as text.
import { telephoneLink } from './telephone.ts';

export function PhoneNumber({ number }: { number: string }) {
  const link = telephoneLink(number);
  return link ? <a className="nowrap" href={link}>{number}</a> : <span>{number}</span>;
}
