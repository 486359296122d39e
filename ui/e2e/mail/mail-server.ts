// A mail server that refuses or takes e-mails as the test says, and a school that uses it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type School, test as base } from '../school.ts';

const binary = process.env.SCHOOLHOUSE ?? fileURLToPath(new URL('../../../target/x86_64-unknown-linux-gnu/debug/schoolhouse', import.meta.url));

export type MailServer = {
  port: number;
  /** What it says to each recipient. */
  answer: string;
  /** The recipients of what it took. */
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

/** A school whose e-mails go to `mail`; nobody is registered. */
export const test = base.extend<{ mail: MailServer; posting: School }>({
  mail: async ({}, use) => {
    const { mail, close } = await openMailServer();
    await use(mail);
    close();
  },
  posting: async ({ mail }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'schoolhouse-mail-'));
    const env = {
      PATH: process.env.PATH,
      SCHOOLHOUSE_MAIL_SMTP_HOST: '127.0.0.1',
      SCHOOLHOUSE_MAIL_SMTP_PORT: String(mail.port),
      SCHOOLHOUSE_MAIL_SECURITY: 'none',
      SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR: '10000',
      SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_HOUR: '10000',
      SCHOOLHOUSE_MAIL_OFFICE_COPIES_PER_HOUR: '10000',
    };
    const staff = { username: 'principal', password: 'A long password, 42 times' };
    execFileSync(binary, ['--data-dir', folder, 'create-admin', '--username', staff.username, '--email', 'p@northgate.example', '--password-stdin'], { env, input: staff.password });
    const child = spawn(binary, ['--data-dir', folder, 'serve', '--listen', '127.0.0.1:0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stderr.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        if (found) resolve(found);
      });
      child.on('exit', () => reject(new Error(text)));
    });
    await use({ url, mail: join(folder, 'mail'), student: { email: '', password: '' }, staff });
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  },
});
