// Setup of every unit test: matchers, a clean page, and a mock server that refuses unprepared requests.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { server } from './server.ts';

// Generous timeout, for tests that hang: beside a release build a test took fifteen times as long.
configure({ asyncUtilTimeout: 120_000 });
// jsdom has no layout and cannot scroll.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
// Nor media: every screen is narrow, and none is printed.
window.matchMedia = (media) => Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} });
// Nor does it have a top layer for dialogs.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(async () => {
  // A pending import fails with its document, and for every later file, which shares the modules.
  await vi.dynamicImportSettled();
  server.close();
});
