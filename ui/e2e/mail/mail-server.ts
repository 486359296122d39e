// A mail server that refuses or accepts emails as the test says, and a school that uses it.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { openSchool, type School, test as base } from '../school.ts';

export type MailServer = {
  port: number;
  /** Response to each recipient. */
  answer: string;
  /** Recipients of accepted emails. */
  taken: string[];
};

async function openMailServer(): Promise<{ mail: MailServer; close: () => void }> {
  const mail: MailServer = { port: 0, answer: '250 2.1.5 fine', taken: [] };
  const server = createServer((socket) => {
    let [recipient, isMessage, rest] = ['', false, ''];
    const say = (text: string) => socket.write(`${text}\r\n`);
    say('220 mail.test');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isMessage) {
          if (line !== '.') continue;
          isMessage = false;
          mail.taken.push(recipient);
          say('250 2.0.0 taken');
        } else if (line.startsWith('RCPT')) {
          recipient = /<(.*)>/.exec(line)?.[1] ?? '';
          say(mail.answer);
        } else if (line === 'DATA') {
          isMessage = true;
          say('354 go on');
        } else say('250 fine');
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  mail.port = (server.address() as AddressInfo).port;
  return { mail, close: () => server.close() };
}

/** A school without students whose emails go to `mail`. */
export const test = base.extend<{ mail: MailServer; posting: School }>({
  mail: async ({}, use) => {
    const { mail, close } = await openMailServer();
    await use(mail);
    close();
  },
  posting: ({ mail }, use) =>
    openSchool(use, {
      SCHOOLHOUSE_MAIL_SMTP_HOST: '127.0.0.1',
      SCHOOLHOUSE_MAIL_SMTP_PORT: String(mail.port),
      SCHOOLHOUSE_MAIL_SECURITY: 'none',
    }),
});
