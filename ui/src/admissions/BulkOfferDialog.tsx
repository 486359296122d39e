// The dialog that offers places to many families: the terms, and what they come to before anything is sent.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { failureWords } from '../api.ts';
import { EmailSample } from '../components/EmailSample.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { Notice } from '../components/Notice.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { decisionFailure, offersPreviewQuery } from './decisions.ts';
import type { DecisionProps } from './dialogs.tsx';
import { partsText } from './partWords.ts';
import { bodyOf, offerBody, OfferFields, offerFields, offerSchema, offerValues } from './OfferFields.tsx';
import { nameOf } from './requests.ts';
import { UsualOfferFirst } from './UsualOfferFirst.tsx';
import type { OffersPreview, RequestRow } from './wire.ts';

type BulkOfferDialogProps = DecisionProps & { rows: readonly RequestRow[] };

export function BulkOfferDialog({ rows, about, send, onClose }: BulkOfferDialogProps) {
  const title = rows.length === 1 ? `Offer ${about} a place` : `Offer places to ${rows.length} families`;
  return (
    <UsualOfferFirst title={title} onClose={onClose}>
      {(usual) => (
        <FormDialog
          title={title}
          isWide
          intro={<p>Each family gets the same terms by email, with a link to accept or decline.</p>}
          schema={offerSchema}
          values={offerValues(usual)}
          fields={offerFields}
          idPrefix="offer"
          submitLabel="Send Offers"
          failed={decisionFailure}
          send={(values) => send(offerBody(values))}
          onClose={onClose}
        >
          {(form) => (
            <>
              <OfferFields {...form} />
              <OffersSheet rows={rows} body={bodyOf(form.form.watch())} />
            </>
          )}
        </FormDialog>
      )}
    </UsualOfferFirst>
  );
}

/** Before the server is asked again about what is being typed. */
const typing_ms = 400;

/** What the typed terms come to: sums, days, emails, and who is offered no place. */
function OffersSheet({ rows, body }: { rows: readonly RequestRow[]; body: object | null }) {
  const typed = body && JSON.stringify(body);
  const [asked, setAsked] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), typing_ms);
    return () => clearTimeout(timer);
  }, [typed]);
  const ids = rows.map(({ id }) => id);
  const preview = useQuery({ ...offersPreviewQuery(ids, JSON.parse(asked ?? '{}') as object), enabled: asked !== null, placeholderData: keepPreviousData });
  return (
    <section className="tinted offers-sheet" aria-label="What is sent" role="status" aria-busy={typed !== asked || preview.isFetching}>
      {typed === null && <p>Enter the fee to see what is sent.</p>}
      {typed !== null && preview.isPending && <p>Adding up...</p>}
      {typed !== null && preview.isError && <Notice kind="error" isQuiet><p>{failureWords(preview.error, 'The sums could not be loaded. Please try again.')}</p></Notice>}
      {typed !== null && preview.data && <Sums rows={rows} preview={preview.data} />}
    </section>
  );
}

function Sums({ rows, preview: { offers, emails, feeParts, total, expiresOn, results, email } }: { rows: readonly RequestRow[]; preview: OffersPreview }) {
  const refused = results.filter(({ ok }) => !ok);
  const fee = feeParts.reduce((sum, { amount }) => sum + amount, 0);
  const nameOfRow = (id: number) => rows.find((row) => row.id === id);
  return (
    <>
      <p>
        <strong>{offers === 1 ? '1 family' : `${offers} families`}</strong>
        <span>{` ${offers === 1 ? 'is' : 'are'} offered a place for ${moneyText(fee, '')}${fee > 0 ? `: ${partsText(feeParts)}` : ''}. Answer by ${dateText(expiresOn, '')}.`}</span>
      </p>
      <p>{`${moneyText(total, '')} together, in ${emails === 1 ? '1 email' : `${emails} emails`}.`}</p>
      {refused.length > 0 && (
        <>
          <p><strong>{refused.length === 1 ? '1 is offered no place:' : `${refused.length} are offered no place:`}</strong></p>
          <ul>
            {refused.map(({ id, message }) => {
              const row = nameOfRow(id);
              return <li key={id}><strong dir="auto">{row ? nameOf(row) : `Request #${id}`}</strong><span>{`: ${message ?? ''}`}</span></li>;
            })}
          </ul>
        </>
      )}
      {email && <details><summary>{offers === 1 ? 'The email' : 'The first email'}</summary><EmailSample email={email} /></details>}
    </>
  );
}
