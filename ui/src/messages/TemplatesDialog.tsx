// The replies that the office sends often: choose one to change it, or write another.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { ReplyTemplate } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { deleteTemplate, saveTemplate, templatesQuery } from './queries.ts';

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const templates = useQuery(templatesQuery);
  const [edited, setEdited] = useState<ReplyTemplate | 'new' | null>(null);
  const [unwanted, setUnwanted] = useState<ReplyTemplate | null>(null);
  const deleting = useAction<void, number>({
    mutationFn: deleteTemplate,
    onSuccess: async () => {
      await client.invalidateQueries(templatesQuery);
      setUnwanted(null);
      showToast('Template deleted');
    },
    onError: (error) => !isSignedOut(error) && showFailure('The template was not deleted', failureWords(error, 'Please try again.')),
  });
  if (edited) return <TemplateDialog template={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />;
  return (
    <Dialog title="Reply Templates" onClose={onClose}>
      {templates.isPending && <Spinner label="Loading templates..." />}
      {templates.isError && <p role="alert">Failed to load the templates. Please try again later.</p>}
      {templates.data?.length === 0 && <p>No templates yet. Write the replies that you send often.</p>}
      <ul className="rows bare">
        {templates.data?.map((template) => (
          <li key={template.id} className="row">
            <span dir="auto">{template.name}</span>
            <div className="cluster">
              <button type="button" className="button button-quiet" aria-label={`Edit ${template.name}`} onClick={() => setEdited(template)}>Edit</button>
              <button type="button" className="button button-quiet" aria-label={`Delete ${template.name}`} onClick={() => setUnwanted(template)}>Delete</button>
            </div>
          </li>
        ))}
      </ul>
      <div className="cluster form-actions">
        <button type="button" className="button button-primary" onClick={() => setEdited('new')}>New Template</button>
      </div>
      {unwanted && (
        <ConfirmDialog
          title={`Delete ${unwanted.name}?`}
          confirmLabel="Delete"
          pendingLabel="Deleting..."
          isPending={deleting.isPending}
          isDangerous
          onConfirm={() => deleting.run(unwanted.id)}
          onClose={() => setUnwanted(null)}
        >
          <p>Replies that were sent with it stay as they are.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

const filled = (message: string) => z.string().check(z.trim(), z.minLength(1, message));

const schema = z.object({
  name: filled('Give the template a name'),
  subject: filled('Write the subject of the email'),
  body: filled('Write the text of the template'),
  language: z.enum(['en', 'fr']),
});

const fields = ['name', 'subject', 'body', 'language'] as const;

const textOf = ({ name, subject, body, language }: Omit<ReplyTemplate, 'id' | 'version'>) => ({ name, subject, body, language });

function TemplateDialog({ template, onClose }: { template: ReplyTemplate | null; onClose: () => void }) {
  const client = useQueryClient();
  const [version, setVersion] = useState(template?.version ?? 0);
  return (
    <FormDialog
      title={template ? 'Edit Template' : 'New Template'}
      isWide
      schema={schema}
      values={textOf(template ?? { name: '', subject: '', body: '', language: 'en' })}
      fields={fields}
      idPrefix="template"
      submitLabel="Save Template"
      failed="The template could not be saved. Please try again."
      send={async (text, { takeOver }) => {
        try {
          await saveTemplate(template?.id ?? null, version, text);
        } catch (error) {
          const current = error instanceof ApiError ? (error.current as ReplyTemplate | null) : null;
          if (current) {
            setVersion(current.version);
            takeOver(textOf(current));
          }
          throw error;
        }
        await client.invalidateQueries(templatesQuery);
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <Field {...field('name')} label="Name" hint="Only the office sees it.">
            {(control) => <input {...control} {...register('name')} type="text" autoComplete="off" maxLength={100} dir="auto" />}
          </Field>
          <Field {...field('subject')} label="Subject of the email">
            {(control) => <input {...control} {...register('subject')} type="text" autoComplete="off" maxLength={150} dir="auto" />}
          </Field>
          <Field {...field('body')} label="Text" hint="{name}, {school} and {reference} are filled in when it is sent.">
            {(control) => <textarea {...control} {...register('body')} rows={8} maxLength={10000} dir="auto" />}
          </Field>
          <Field {...field('language')} label="Language">
            {(control) => (
              <select {...control} {...register('language')}>
                <option value="en">English</option>
                <option value="fr">French</option>
              </select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
