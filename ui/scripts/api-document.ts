// Vite plugin: adds the OpenAPI document to the build.
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
