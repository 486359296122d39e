// The one way to talk to the server: cookies included, JSON both ways, every failure an
// ApiError. Shows nothing by itself; the caller decides what a person sees. Which addresses there are, what they take
// and what they return is the server's own description (endpoints.ts).
import type { Address, AnswerOf, BodyOf, RowOf } from './endpoints.ts';

const timeout_ms = 20_000;

type Circumstances = { statusText?: string; isText?: boolean; retryAfterSeconds?: number | null };

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status, or 0 when no answer arrived (offline, refused, too slow). */
  readonly status: number;
  /** The server's words for people, or ours when no answer arrived; null when there are none. */
  readonly detail: string | null;
  /** Messages for single fields of a form, by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The current state, after a conflict (409). */
  readonly current: unknown;
  /** The machine-readable reason: what is missing (409) or has to be proved first (401, 403). */
  readonly reason: string | null;
  /** The passkey challenge, if a login waits for its second factor. */
  readonly passkey: unknown;
  readonly retryAfterSeconds: number | null;

  /** `body` is the answer's text. The message follows section 7: "{status}: {body or status text}". */
  constructor(status: number, body: string, { statusText = '', isText = false, retryAfterSeconds = null }: Circumstances = {}) {
    super(`${status}: ${body || statusText}`);
    const answer = parseAnswer(body);
    this.status = status;
    this.detail = status === 0 || isText ? body || null : (answer.message ?? (status === 413 ? tooLarge : null));
    this.fields = answer.fields;
    this.current = answer.current;
    this.reason = answer.reason;
    this.passkey = answer.passkey;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Sends a request; the office's frame intercepts it to confirm the identity (see StepUp). */
export const wire = { request };

export async function getJson<P extends string>(path: Address<'get', P>, signal?: AbortSignal): Promise<AnswerOf<'get', P>> {
  return (await wire.request<AnswerOf<'get', P>>(path, { method: 'GET' }, signal)).body;
}

/** The signed-in user, or null on 401 (section 6). */
export async function getSignedIn<P extends string>(path: Address<'get', P>, signal?: AbortSignal): Promise<AnswerOf<'get', P> | null> {
  try {
    return await getJson<P>(path, signal);
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}

/** One page of a list, and how many rows there are on all pages. */
export type Rows<T> = { rows: T[]; total: number };

export async function getRows<P extends string>(path: Address<'get', P>, signal?: AbortSignal): Promise<Rows<RowOf<P>>> {
  const { body: rows, headers } = await request<RowOf<P>[]>(path, { method: 'GET' }, signal);
  return { rows, total: Number(headers.get('X-Total-Count') ?? rows.length) };
}

export function postJson<P extends string>(path: Address<'post', P>, ...[body]: BodyOf<'post', P>): Promise<AnswerOf<'post', P>> {
  return sendJson('POST', path, body);
}

export function patchJson<P extends string>(path: Address<'patch', P>, ...[body]: BodyOf<'patch', P>): Promise<AnswerOf<'patch', P>> {
  return sendJson('PATCH', path, body);
}

export function putJson<P extends string>(path: Address<'put', P>, ...[body]: BodyOf<'put', P>): Promise<AnswerOf<'put', P>> {
  return sendJson('PUT', path, body);
}

export function deleteJson<P extends string>(path: Address<'delete', P>, ...[body]: BodyOf<'delete', P>): Promise<AnswerOf<'delete', P>> {
  return sendJson('DELETE', path, body);
}

/** Sends a text file, or an empty body. */
export async function postText<P extends string>(path: Address<'post', P>, file: File | ''): Promise<AnswerOf<'post', P>> {
  const headers = { 'Content-Type': 'text/csv' };
  return (await wire.request<AnswerOf<'post', P>>(path, { method: 'POST', headers, body: file })).body;
}

async function sendJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const content = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return (await wire.request<T>(path, { method, ...content })).body;
}

/** Whether the error is a 401. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** The server's message, or the caller's fallback. */
export function failureWords(error: unknown, otherwise: string): string {
  return (error instanceof ApiError && error.detail) || otherwise;
}

async function request<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<{ body: T; headers: Headers }> {
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
  const header = (name: string) => response.headers.get(name);
  return { body: read<T>(response.status, body, response.statusText, header), headers: response.headers };
}

/** Parses a response, or throws its error. */
export function read<T>(status: number, body: string, statusText: string, header: (name: string) => string | null): T {
  if (status < 200 || status > 299) {
    const isText = header('Content-Type')?.startsWith('text/plain') ?? false;
    throw new ApiError(status, body, { statusText, isText, retryAfterSeconds: seconds(header('Retry-After')) });
  }
  if (body === '') return undefined as T;
  try {
    return JSON.parse(body) as T;
  } catch {
    throw new ApiError(status, '', { statusText: 'The answer was not readable' });
  }
}

export const unreachable = 'The school’s server could not be reached. Please check your connection and try again.';
/** The message for a proxy's own 413, which arrives as HTML. */
const tooLarge = 'This is too large. Please choose a smaller file, or write less.';
export const tooSlow = 'The school’s server took too long to answer. Please try again in a moment.';

/** Message and field errors of a JSON response; nothing from any other body. */
type ParsedAnswer = { message: string | null; fields: Record<string, string>; current: unknown; reason: string | null; passkey: unknown };

const nothing: ParsedAnswer = { message: null, fields: {}, current: null, reason: null, passkey: null };

const word = (value: unknown) => (typeof value === 'string' ? value : null);

function parseAnswer(body: string): ParsedAnswer {
  try {
    const { message, fields, current = null, reason, passkey = null } = (JSON.parse(body) ?? {}) as Record<string, unknown>;
    const entries = Object.entries(typeof fields === 'object' && fields ? fields : {});
    const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { message: word(message), fields: Object.fromEntries(texts), current, reason: word(reason), passkey };
  } catch {
    return nothing;
  }
}

function seconds(text: string | null): number | null {
  const value = Number(text ?? NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
