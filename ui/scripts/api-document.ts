// Vite plugin: lays the description of the endpoints into the build, for the server to send.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

export function apiDocument(): Plugin {
  return {
    name: 'schoolhouse:api-document',
    apply: 'build',
    async generateBundle() {
      const document: unknown = JSON.parse(await readFile('openapi.json', 'utf8'));
      this.emitFile({ type: 'asset', fileName: 'openapi.json', source: JSON.stringify(document) });
    },
  };
}
