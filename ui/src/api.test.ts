// The fetch wrapper: requests, and every kind of failure.
import { delay, http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, failureWords, getJson, getRows, getSignedIn, isSignedOut, postJson } from './api.ts';
import { postForm } from './upload.ts';
import { server } from './test/server.ts';

const url = 'http://localhost:3000/api/students/*';

async function failure(): Promise<ApiError> {
  try {
    await getJson('/api/students/documents');
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('The request did not fail as expected.');
}

describe('the fetch wrapper', () => {
  it('sends JSON and reads JSON', async () => {
    server.use(
      http.post(url, async ({ request }) => {
        expect(request.headers.get('Content-Type')).toBe('application/json');
        expect(request.credentials).toBe('include');
        return HttpResponse.json({ echo: await request.json() });
      }),
    );
    await expect(postJson('/api/students/not-me', { token: 'a' })).resolves.toEqual({ echo: { token: 'a' } });
  });

  it('turns a refusal into status, words and field messages', async () => {
    const body = { message: 'Please correct it.', fields: { email: 'Please enter a valid email address' } };
    server.use(http.get(url, () => HttpResponse.json(body, { status: 400 })));
    const error = await failure();
    expect(error.status).toBe(400);
    expect(error.message).toBe(`400: ${JSON.stringify(body)}`);
    expect(error.detail).toBe('Please correct it.');
    expect(error.fields).toEqual({ email: 'Please enter a valid email address' });
  });

  it('names the status text when the body is empty', async () => {
    server.use(http.get(url, () => new HttpResponse(null, { status: 503, statusText: 'Service Unavailable' })));
    const error = await failure();
    expect(error.message).toBe('503: Service Unavailable');
    expect(error.detail).toBeNull();
  });

  it('has no words from a body that is not JSON', async () => {
    server.use(http.get(url, () => HttpResponse.html('<h1>Bad Gateway</h1>', { status: 502 })));
    const error = await failure();
    expect(error.message).toBe('502: <h1>Bad Gateway</h1>');
    expect(error.detail).toBeNull();
    expect(error.fields).toEqual({});
  });

  it('says what to do when a proxy finds a request too large', async () => {
    server.use(http.post(url, () => HttpResponse.html('<h1>413 Request Entity Too Large</h1>', { status: 413 })));
    const words = 'This is too large. Please choose a smaller file, or write less.';
    await expect(postJson('/api/students/not-me', { token: 'a' })).rejects.toMatchObject({ status: 413, detail: words });
    const upload = postForm('/api/students/documents', new FormData(), { signal: new AbortController().signal, onProgress: () => undefined });
    await expect(upload).rejects.toMatchObject({ status: 413, detail: words });
    server.use(http.post(url, () => HttpResponse.json({ message: 'Room for 2 MB is left.' }, { status: 413 })));
    await expect(postJson('/api/students/not-me', { token: 'a' })).rejects.toMatchObject({ detail: 'Room for 2 MB is left.' });
  });

  it('reads how long to wait', async () => {
    server.use(http.get(url, () => HttpResponse.json({ message: 'Wait.' }, { status: 429, headers: { 'Retry-After': '90' } })));
    expect((await failure()).retryAfterSeconds).toBe(90);
  });

  it('says so without a response', async () => {
    server.use(http.get(url, () => HttpResponse.error()));
    const error = await failure();
    expect(error.status).toBe(0);
    expect(error.detail).toMatch(/could not be reached/);
  });

  it('refuses an answer that is not JSON', async () => {
    server.use(http.get(url, () => HttpResponse.html('<p>hello</p>')));
    expect((await failure()).message).toBe('200: The answer was not readable');
  });

  it('passes on a cancellation as it is', async () => {
    server.use(http.get(url, async () => { await delay('infinite'); }));
    const controller = new AbortController();
    const pending = getJson('/api/students/documents', controller.signal);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('its methods', () => {
  it('reads a list with how many rows there are in all', async () => {
    server.use(http.get(url, () => HttpResponse.json([1, 2], { headers: { 'X-Total-Count': '57' } })));
    await expect(getRows('/api/students/documents')).resolves.toEqual({ rows: [1, 2], total: 57 });
  });

  it('reads only a 401 as signed out', async () => {
    server.use(http.get(url, () => HttpResponse.json({ message: 'Please log in to continue.' }, { status: 401 })));
    await expect(getSignedIn('/api/students/documents')).resolves.toBeNull();
    server.use(http.get(url, () => new HttpResponse('down', { status: 500 })));
    await expect(getSignedIn('/api/students/documents')).rejects.toThrow('500: down');
  });

  it('takes words from JSON and plain text, never from a page', async () => {
    server.use(http.post(url, () => HttpResponse.text('Invalid username or password', { status: 401 })));
    const refusal = await postJson('/api/students/logout').catch((error: unknown) => error);
    expect(failureWords(refusal, 'ours')).toBe('Invalid username or password');
    expect(isSignedOut(refusal)).toBe(true);
    server.use(http.post(url, () => HttpResponse.html('<h1>Bad gateway</h1>', { status: 502 })));
    expect(failureWords(await postJson('/api/students/logout').catch((error: unknown) => error), 'ours')).toBe('ours');
    expect(failureWords(new TypeError('a bug'), 'ours')).toBe('ours');
  });

  it('sends a form, reports how far it is, and gives back what the server says', async () => {
    const progress: number[] = [];
    const upload = () => {
      const form = new FormData();
      form.append('documentType', 'transcript');
      return postForm('/api/students/documents', form, { signal: new AbortController().signal, onProgress: (part) => progress.push(part) });
    };
    server.use(http.post(url, async ({ request }) => HttpResponse.json({ type: (await request.formData()).get('documentType') })));
    await expect(upload()).resolves.toEqual({ type: 'transcript' });
    expect(progress.at(-1)).toBe(1);
    server.use(http.post(url, () => HttpResponse.json({ message: 'The file is larger than 10 MB.' }, { status: 413 })));
    await expect(upload()).rejects.toMatchObject({ status: 413, detail: 'The file is larger than 10 MB.' });
    server.use(http.post(url, () => HttpResponse.error()));
    await expect(upload()).rejects.toMatchObject({ status: 0 });
  });

  it('cancels an upload when asked to', async () => {
    server.use(http.post(url, () => delay('infinite')));
    const stop = new AbortController();
    const upload = postForm('/api/students/documents', new FormData(), { signal: stop.signal, onProgress: () => {} });
    stop.abort();
    await expect(upload).rejects.toBe(stop.signal.reason);
  });
});

describe('an upload without an answer', () => {
  /** An XMLHttpRequest controlled by the test. */
  class SilentCall extends EventTarget {
    static last: SilentCall;
    upload = new EventTarget();
    open() {}
    send() {}
    abort = vi.fn<() => void>();
    constructor() {
      super();
      SilentCall.last = this;
    }
  }

  function begin() {
    vi.useFakeTimers();
    vi.stubGlobal('XMLHttpRequest', SilentCall);
    const ended = vi.fn<(error: unknown) => void>();
    postForm('/api/students/documents', new FormData(), { signal: new AbortController().signal, onProgress: () => {} }).catch(ended);
    const { upload } = SilentCall.last;
    return { ended, move: () => upload.dispatchEvent(new Event('progress')), arrive: () => upload.dispatchEvent(new Event('load')) };
  }

  const tooSlow = expect.objectContaining({ status: 0, detail: expect.stringMatching(/took too long to answer/) as string }) as Error;

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('ends when nothing has moved for half a minute, however long it moved before', async () => {
    const { ended, move } = begin();
    for (let step = 0; step < 4; step += 1) {
      vi.advanceTimersByTime(29_000);
      move();
    }
    await vi.advanceTimersByTimeAsync(29_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(tooSlow);
    expect(SilentCall.last.abort).toHaveBeenCalledOnce();
  });

  it('ends when no answer came a minute after everything was sent', async () => {
    const { ended, move, arrive } = begin();
    move();
    arrive();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(tooSlow);
  });

  it('waits for nothing once the call has ended', async () => {
    begin();
    SilentCall.last.dispatchEvent(new Event('loadend'));
    expect(vi.getTimerCount()).toBe(0);
  });
});
