// The progress of an upload, and its cancellation.
import '../components/Progress.css';

type UploadProgressProps = { stage: { name: string; sent?: number } };

export function UploadProgress({ stage: { name, sent = 0 } }: UploadProgressProps) {
  const percent = Math.round(sent * 100);
  return (
    <div>
      {name === 'sending' && (
        <div className="progress">
          <progress value={percent} max={100} aria-label="Upload progress" />
          <span aria-hidden="true">{`${percent}%`}</span>
        </div>
      )}
      <p className="muted" role="status">{words(name, percent)}</p>
    </div>
  );
}

function words(stage: string, percent: number): string {
  if (stage === 'cancelled') return 'The upload was cancelled. Your file is still here.';
  if (stage !== 'sending') return '';
  return percent < 100 ? 'Uploading your document...' : 'Almost done: the school’s server is checking the file...';
}
