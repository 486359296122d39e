// An email address in a narrow column: it breaks behind its @ and nowhere else.
import './Table.css';

/** More than this would push a table's other columns away: such a half breaks wherever it must. */
const most_whole = 36;

export function EmailAddress({ address }: { address: string }) {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const mailbox = address.slice(0, address.length - domain.length);
  return <bdi><Half text={mailbox} /><wbr /><Half text={domain} /></bdi>;
}

function Half({ text }: { text: string }) {
  return <span className={text.length > most_whole ? undefined : 'email-half'}>{text}</span>;
}
