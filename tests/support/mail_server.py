"""A mail server for tests: Debian's aiosmtpd, with the faults that its one argument (JSON) asks for.

Prints its port once it listens. Each message that it takes becomes a file in `folder`, whole or not
at all, before it is answered.

  port          0 for any
  protection    "none", "starttls" or "tls", with `certificate` and `key`
  account       [name, password]: a login is required
  faults        [[command, answer], ...]: each is used once, in order, for MAIL, RCPT, DATA (before the
                message) or END (after it); the answer "drop" takes a message and hangs up without a word
  always        {command: answer}: used every time
  delays        {command: seconds}: before the answer
  held          a command that is answered once there is a file `released` in `folder`; the first that
                waits makes a file `held`
  relay         {port, key}: signs what it takes (DKIM) and hands it to the next server
  injected      bytes that an attacker appends to the answer to STARTTLS
"""

import asyncio
import json
import os
import pathlib
import smtplib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

wanted = json.loads(sys.argv[1])
faults = wanted.get("faults", [])
always = wanted.get("always", {})
delays = wanted.get("delays", {})
count = 0


async def wait_for_release():
    folder = pathlib.Path(wanted["folder"])
    (folder / "held").touch()
    while not (folder / "released").exists():
        await asyncio.sleep(0.01)


async def fault(command):
    await asyncio.sleep(delays.get(command, 0))
    if command == wanted.get("held"):
        await wait_for_release()
    for at, (name, answer) in enumerate(faults):
        if name == command:
            del faults[at]
            return answer
    return always.get(command)


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, options):
        answer = await fault("MAIL")
        if answer:
            return answer
        envelope.mail_from = address
        return "250 2.1.0 fine"

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = await fault("RCPT")
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 fine"

    async def handle_DATA(self, server, session, envelope):
        answer = await fault("END")
        if answer in (None, "drop"):
            keep(envelope.original_content)
        if wanted.get("relay"):
            await asyncio.get_running_loop().run_in_executor(None, hand_on, envelope)
        if answer == "drop":
            server.transport.abort()
        return answer or "250 2.0.0 taken"


class Server(SMTP):
    async def smtp_DATA(self, arg):
        answer = await fault("DATA")
        if answer:
            await self.push(answer)
        else:
            await super().smtp_DATA(arg)

    async def push(self, status):
        if wanted.get("injected") and str(status).startswith("220 Ready to start TLS"):
            status = f"{status}\r\n{wanted['injected']}"
        await super().push(status)


def keep(content):
    global count
    count += 1
    path = os.path.join(wanted["folder"], f"{count:04}")
    with open(path + ".partial", "wb") as file:
        file.write(content)
    os.rename(path + ".partial", path + ".eml")


def hand_on(envelope):
    import signature

    signed = signature.sign(envelope.original_content, wanted["relay"]["key"])
    with smtplib.SMTP("127.0.0.1", wanted["relay"]["port"]) as following:
        following.sendmail(envelope.mail_from, envelope.rcpt_tos, signed)


def check(server, session, envelope, mechanism, data):
    pair = [data.login.decode(), data.password.decode()]
    return AuthResult(success=pair == wanted["account"], handled=False)


def server():
    options = {"hostname": "mail.test", "enable_SMTPUTF8": wanted.get("smtputf8", False)}
    if wanted.get("account"):
        options |= {"authenticator": check, "auth_required": True, "auth_require_tls": context is not None}
    if wanted.get("protection") == "starttls":
        options |= {"tls_context": context, "require_starttls": True}
    if wanted.get("protection") == "tls":
        # Tells aiosmtpd that the connection is encrypted from its first byte.
        options["auth_require_tls"] = False
    return Server(Handler(), **options)


context = None
if wanted.get("certificate"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(wanted["certificate"], wanted["key"])


async def main():
    encrypted = context if wanted.get("protection") == "tls" else None
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, told: None)
    listening = await loop.create_server(server, "127.0.0.1", wanted.get("port", 0), ssl=encrypted)
    print(listening.sockets[0].getsockname()[1], flush=True)
    # The end of the test is the end of this pipe, however the test ends.
    await loop.run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
