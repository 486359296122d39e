// The picture picker and drop target, which uploads at once and shows progress and errors.
import type { DragEvent } from 'react';
import type { UploadedPicture } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Icon } from '../components/Icon.tsx';
import { acceptedPictures } from './picture.ts';
import { usePictureUpload } from './usePictureUpload.ts';
import '../documents/documents.css';

type PictureUploadProps = {
  id: string;
  label: string;
  hint?: string;
  /** The server's error about the current picture. */
  error?: string | undefined;
  onUploaded: (picture: UploadedPicture) => void;
};

export function PictureUpload({ id, label, hint = 'JPEG or PNG, up to 10 MB, at least 480 pixels wide.', error, onUploaded }: PictureUploadProps) {
  const { stage, choose, cancel, retry } = usePictureUpload(onUploaded);
  const isSending = stage.name === 'sending';
  const drop = (event: DragEvent) => {
    event.preventDefault();
    choose(event.dataTransfer.files);
  };
  return (
    <Field id={id} label={label} hint={hint} error={stage.name === 'failed' ? stage.words : error}>
      {(control) => (
        <>
          {/* The field itself lies, unseen, over the whole zone. */}
          <div className={isSending ? 'drop-zone is-locked' : 'drop-zone'} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
            <input
              {...control}
              className="cover"
              type="file"
              accept={acceptedPictures}
              // Not `disabled`, which would lose the focus while uploading.
              aria-disabled={isSending}
              onClick={(event) => isSending && event.preventDefault()}
              onChange={(event) => {
                choose(event.target.files);
                // Allow choosing the same file again after an error.
                event.target.value = '';
              }}
            />
            {isSending ? <Sending name={stage.file.name} sent={stage.sent} /> : <Invitation />}
          </div>
          <p className="sr-only" role="status">{isSending ? `Uploading ${stage.file.name}...` : ''}</p>
          {isSending && <button type="button" className="button button-quiet" onClick={cancel}>Cancel the Upload</button>}
          {stage.name === 'failed' && stage.file && <button type="button" className="button button-quiet" onClick={retry}>Try Again</button>}
        </>
      )}
    </Field>
  );
}

function Invitation() {
  return (
    <p className="stack drop-invitation" aria-hidden="true">
      <Icon name="upload" />
      <span><u>Choose a picture</u><span> or drop it here</span></span>
    </p>
  );
}

function Sending({ name, sent }: { name: string; sent: number }) {
  const percent = Math.round(sent * 100);
  return (
    <div>
      <p><span>{`${percent < 100 ? 'Uploading' : 'Almost done: looking at'} `}</span><strong><bdi>{name}</bdi></strong></p>
      <progress value={percent} max={100} aria-label="Upload progress" />
    </div>
  );
}
