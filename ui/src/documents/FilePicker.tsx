// The file picker and drop target, with the chosen file.
import { useCallback, useState } from 'react';
import { Field } from '../components/Field.tsx';
import { Icon } from '../components/Icon.tsx';
import { acceptedFiles, fileHint, isImage, sizeText } from './file.ts';

type FilePickerProps = {
  id: string;
  error: string | undefined;
  /** Why the chosen file is refused; a missing one is reported on submit. */
  problem: string | null;
  file: File | null;
  /** Whether its content matches its name. */
  isKnown: boolean;
  isLocked: boolean;
  onChoose: (files: FileList | null) => void;
};

export function FilePicker({ id, error, problem, file, isKnown, isLocked, onChoose }: FilePickerProps) {
  return (
    <Field id={id} error={error} label="File" hint={fileHint}>
      {(control) => (
        <>
          {/* The field itself lies, unseen, over the whole zone. */}
          <div className={isLocked ? 'drop-zone is-locked' : 'drop-zone'}>
            <input
              {...control}
              className="cover"
              type="file"
              accept={acceptedFiles}
              disabled={isLocked}
              onChange={(event) => {
                onChoose(event.target.files);
                // Allow choosing the same file again after an error.
                event.target.value = '';
              }}
            />
            {file ? <ChosenFile key={file.name + file.lastModified} file={file} isKnown={isKnown} /> : <Invitation />}
          </div>
          <p className="sr-only" role="status">{problem ?? (file ? `${file.name}, ${sizeText(file.size)}, is chosen.` : '')}</p>
        </>
      )}
    </Field>
  );
}

function Invitation() {
  return (
    <p className="stack drop-invitation" aria-hidden="true">
      <Icon name="upload" />
      <span><u>Choose a file</u><span> or drop it here</span></span>
    </p>
  );
}

function ChosenFile({ file, isKnown }: { file: File; isKnown: boolean }) {
  return (
    <div className="beside chosen-file">
      {isKnown && isImage(file) ? <Preview file={file} /> : <Icon name="file" />}
      <p>
        <strong><bdi>{file.name}</bdi></strong>
        <span>{sizeText(file.size)}</span>
        <u aria-hidden="true">Choose another file</u>
      </p>
    </div>
  );
}

function Preview({ file }: { file: File }) {
  const [isBroken, setIsBroken] = useState(false);
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  if (isBroken) return <Icon name="file" />;
  return <img ref={show} alt={`Preview of ${file.name}`} onError={() => setIsBroken(true)} />;
}
