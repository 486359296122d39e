// Adding, renaming and removing one's passkeys.
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { failureWords, isSignedOut } from '../api.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Icon } from '../components/Icon.tsx';
import { loadPart } from '../components/loadPart.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { knowsPasskeys, PasskeyRefused } from './passkey.ts';
import { type FactorOwner, factors, type Passkey, type SecondFactor } from './secondFactor.ts';

type PasskeysProps = {
  factor: SecondFactor;
  owner: FactorOwner;
  onAdded: (drawn: { recoveryCodes: string[] }) => Promise<void>;
  onChanged: () => Promise<void>;
};

export function Passkeys({ factor: { since, passkeys, takesPasskeys }, owner: { portal }, onAdded, onChanged }: PasskeysProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState<{ what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | null>(null);
  const close = () => setOpen(null);
  const calls = factors[portal];
  const beginning = useMutation(calls.beginPasskey);
  const adding = useMutation(calls.addPasskey);
  const renaming = useMutation(calls.renamePasskey);
  const removing = useAction<SecondFactor, number>({
    ...calls.removePasskey,
    onSuccess: async () => {
      close();
      showToast('Passkey removed', 'We have emailed you about it.');
      await onChanged();
      heading.current?.focus();
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('That did not work', failureWords(error, 'Please try again in a moment.'));
    },
  });
  const isLast = since === null && passkeys.length === 1;

  return (
    <div>
      <h3 ref={heading} tabIndex={-1}>Passkeys</h3>
      <p>Use your phone, computer or a security key in place of a code. A passkey works only on this site, so it cannot be phished.</p>
      {passkeys.length > 0 && (
        <ul className="rows devices">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onRename={() => setOpen({ what: 'rename', passkey })} onRemove={() => setOpen({ what: 'remove', passkey })} />
          ))}
        </ul>
      )}
      {takesPasskeys && knowsPasskeys() ? (
        <button type="button" className="button button-outline" onClick={() => setOpen({ what: 'add' })}>Add a Passkey...</button>
      ) : (
        <p className="fine-print">{takesPasskeys ? 'This browser does not support passkeys.' : 'To add one, open the site by its domain name over HTTPS.'}</p>
      )}
      {open?.what === 'add' && (
        <NameDialog
          title="Add a Passkey"
          about="Give it a name you will remember. Your browser then asks where to keep it."
          name=""
          submitLabel="Continue"
          onClose={close}
          send={async (name) => {
            const { makePasskey } = await loadPart(() => import('./makePasskey.ts'));
            const made = await makePasskey(await beginning.mutateAsync());
            const drawn = await adding.mutateAsync({ name, ...made });
            close();
            showToast('Passkey added', 'We have emailed you about it.');
            await onAdded(drawn);
          }}
        />
      )}
      {open?.what === 'rename' && (
        <NameDialog
          title="Rename the Passkey"
          name={open.passkey.name}
          submitLabel="Save"
          onClose={close}
          send={async (name) => {
            await renaming.mutateAsync({ id: open.passkey.id, name });
            close();
            await onChanged();
          }}
        />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={`Remove ${open.passkey.name}?`}
          confirmLabel="Remove"
          pendingLabel="Removing..."
          isPending={removing.isPending}
          isDangerous
          onConfirm={() => removing.run(open.passkey.id)}
          onClose={close}
        >
          <p>
            {isLast
              ? 'It is your only passkey: from then on you log in with your password alone. Every other device is logged out, and your recovery codes stop working.'
              : 'It no longer works for this account. You can delete it from the device as well.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Row({ passkey: { id, name, createdAt, lastUsedAt }, onRename, onRemove }: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { timeZone } = useSchool();
  return (
    <li className="row">
      <span className="medallion screen-only"><Icon name="key" /></span>
      <div>
        <p><strong id={`passkey-${id}`} dir="auto">{name}</strong></p>
        <p><small>{`Added ${momentText(createdAt, timeZone)}`}</small></p>
        <p><small>{lastUsedAt ? `Last used ${momentText(lastUsedAt, timeZone)}` : 'Not used yet'}</small></p>
      </div>
      <div className="cluster">
        <button type="button" className="button button-quiet" aria-describedby={`passkey-${id}`} onClick={onRename}>Rename</button>
        <button type="button" className="button button-outline" aria-describedby={`passkey-${id}`} onClick={onRemove}>Remove</button>
      </div>
    </li>
  );
}

const schema = z.object({ name: z.string().check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(60, 'Must be at most 60 characters')) });

type NameDialogProps = { title: string; about?: string; name: string; submitLabel: string; send: (name: string) => Promise<void>; onClose: () => void };

function NameDialog({ title, about, name, submitLabel, send, onClose }: NameDialogProps) {
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { name },
    fields: ['name'],
    idPrefix: 'passkey',
    send: (typed) => send(typed.name),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {about && <p>{about}</p>}
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && (failure instanceof PasskeyRefused ? failure.message : failureWords(failure, 'That did not work. Please try again in a moment.'))}
        submitLabel={submitLabel}
        pendingLabel="One moment..."
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field {...field('name')} label="Name" hint="Such as “My phone” or “Blue key”.">
          {(control) => <input {...control} {...register('name')} type="text" autoComplete="off" />}
        </Field>
      </Form>
    </Dialog>
  );
}
