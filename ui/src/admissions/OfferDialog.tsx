// The dialog that offers a place: fee, deposit and their days, the last day, conditions and agreement.
import { FormDialog } from '../components/FormDialog.tsx';
import { decisionFailure } from './decisions.ts';
import type { DecisionProps } from './dialogs.tsx';
import { bodyOf, offerBody, OfferFields, offerFields, offerSchema, offerValues } from './OfferFields.tsx';
import { OfferPreview } from './OfferPreview.tsx';
import { UsualOfferFirst } from './UsualOfferFirst.tsx';
import type { RequestFile } from './wire.ts';

export function OfferDialog({ request, about, send, onClose }: DecisionProps & { request: RequestFile }) {
  const { offer, status, email, guardianEmail } = request;
  const others = guardianEmail && guardianEmail.toLowerCase() !== email.toLowerCase() ? ` and ${guardianEmail}` : '';
  const title = `Offer ${about} a place`;
  return (
    <UsualOfferFirst title={title} onClose={onClose}>
      {(usual) => (
        <FormDialog
          title={title}
          isWide
          intro={<p>{`${status === 'offered' ? 'The new offer takes the place of the one before. ' : ''}The offer goes to ${email}${others} by email, with a link to accept or decline.`}</p>}
          schema={offerSchema}
          values={offerValues(usual, offer)}
          fields={offerFields}
          idPrefix="offer"
          submitLabel="Send Offer"
          failed={decisionFailure}
          send={(values) => send(offerBody(values))}
          onClose={onClose}
        >
          {(form) => (
            <>
              <OfferFields {...form} />
              <OfferPreview id={request.id} body={bodyOf(form.form.watch())} />
            </>
          )}
        </FormDialog>
      )}
    </UsualOfferFirst>
  );
}
