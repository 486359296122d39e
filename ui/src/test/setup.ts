// What every unit test starts with: matchers, a clean page, and a server that refuses what
// no test has prepared.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { server } from './server.ts';

// A limit is for what hangs: beside a release build a test took fifteen times as long.
configure({ asyncUtilTimeout: 120_000 });
// jsdom draws nothing, so it has nowhere to scroll to.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
// It has no top layer either: a dialog is open or it is not.
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
  // A part that is still on its way fails with its document, and for every later file, which shares the modules.
  await vi.dynamicImportSettled();
  server.close();
});
