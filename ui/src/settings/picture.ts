// Picture rules, checked by name, type and size before uploading; the server checks content and dimensions.
import { ApiError, failureWords } from '../api.ts';
import { otherPictureProblem, sizeText } from '../documents/file.ts';

const max_bytes = 10 * 1024 * 1024;
export const acceptedPictures = 'image/jpeg,image/png';

/** Why a file cannot be uploaded as a picture, or null. */
export function pictureProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  const otherPicture = otherPictureProblem(name, name, type);
  if (otherPicture) return otherPicture;
  // Some devices omit the MIME type; then the file extension decides.
  const isAccepted = type ? /^image\/(jpeg|png)$/.test(type) : /\.(jpe?g|png)$/i.test(name);
  if (!isAccepted) return `“${name}” is not a JPEG or PNG. Please choose another picture.`;
  if (size === 0) return `“${name}” is empty. Please choose another picture.`;
  if (size > max_bytes) return `“${name}” is ${sizeText(size)}. Pictures can be up to 10 MB. Please choose a smaller one.`;
  return null;
}

/** Why an upload failed, in words. */
export function uploadWords(error: unknown): string {
  const [aboutField] = error instanceof ApiError ? Object.values(error.fields) : [];
  return aboutField ?? failureWords(error, 'The picture could not be uploaded. Please try again.');
}

/** Whether the same file may succeed later: no response, too many requests, a server error or an ended session. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof ApiError) || [0, 401, 429].includes(error.status) || error.status >= 500;
}
