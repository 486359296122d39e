// Lazy loading of a part of a page.
import { ApiError } from '../api.ts';

// After a server upgrade the file is gone. The user decides when to reload, so that no input is lost.
const missing = 'A part of this page could not be loaded. Please try again, or reload the page.';

/** Imports with `load`; a failure has a message for people, and the next call retries. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    throw new ApiError(0, missing);
  }
}
