// The one way to talk to the server: cookies included, JSON both ways, every failure an
// ApiError. Shows nothing by itself; the caller decides what a person sees.

const timeout_ms = 20_000;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status, or 0 when no answer arrived (offline, refused, too slow). */
  readonly status: number;
  /** The server's words for people, or ours when no answer arrived; null when there are none. */
  readonly detail: string | null;
  /** Messages for single fields of a form, by field name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | null;

  /** `body` is the answer's text. The message follows section 7: "{status}: {body or status text}". */
  constructor(status: number, body: string, statusText = '', retryAfterSeconds: number | null = null) {
    super(`${status}: ${body || statusText}`);
    const answer = parseAnswer(body);
    this.status = status;
    this.detail = status === 0 ? body : answer.message;
    this.fields = answer.fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request<T>(path, { method: 'GET' }, signal);
}

export function postJson<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function request<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<T> {
  const timeout = AbortSignal.timeout(timeout_ms);
  let response: Response;
  let body: string;
  try {
    response = await fetch(path, {
      ...init,
      credentials: 'include',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    body = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, timeout.aborted ? tooSlow : unreachable);
  }
  if (!response.ok) {
    throw new ApiError(response.status, body, response.statusText, retryAfter(response));
  }
  try {
    return JSON.parse(body) as T;
  } catch {
    throw new ApiError(response.status, '', 'The answer was not readable');
  }
}

const unreachable = 'The school’s server could not be reached. Please check your connection and try again.';
const tooSlow = 'The school’s server took too long to answer. Please try again in a moment.';

/** The words and field messages of a JSON answer; nothing of any other body, HTML least of all. */
function parseAnswer(body: string): { message: string | null; fields: Record<string, string> } {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return { message: null, fields: {} };
    const message = 'message' in parsed && typeof parsed.message === 'string' ? parsed.message : null;
    const fields = 'fields' in parsed && typeof parsed.fields === 'object' ? (parsed.fields ?? {}) : {};
    const texts = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { message, fields: Object.fromEntries(texts) };
  } catch {
    return { message: null, fields: {} };
  }
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
