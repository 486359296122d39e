// A part of a page that is fetched when it is wanted.
import { ApiError } from '../api.ts';

// After an upgrade of the server the file is gone for good; whoever has typed something decides when to reload.
const missing = 'A part of this page could not be loaded. Please try again, or reload the page.';

/** What `load` imports; a failure is one that people can be told, and the next wish asks anew. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    throw new ApiError(0, missing);
  }
}
