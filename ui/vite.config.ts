// How the interface is built, served in development and tested.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { apiDocument } from './scripts/api-document.ts';
import { chunkNames } from './scripts/chunks.ts';
import { compressAssets } from './scripts/compress-assets.ts';
import { preloadFonts } from './scripts/preload-fonts.ts';
import { dropUnusedStyles } from './scripts/unused-styles.js';
import { writeTemplates } from './scripts/write-templates.ts';

// light-dark() and AbortSignal.any() need these; all were released by mid 2024.
const browsers = ['chrome123', 'edge123', 'firefox124', 'safari17.5'];

/** Test files that need browser objects but render nothing. */
const inBrowser = ['src/api.test.ts', 'src/upgrade.test.ts', 'src/components/toasts.test.ts'];

const screens = { environment: 'jsdom', isolate: false };

/** The package's main entry is its development build. */
const routerWithoutWarnings: Plugin = {
  name: 'router-without-warnings',
  apply: 'build',
  config: () => ({
    resolve: { alias: { 'react-router': fileURLToPath(new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url)) } },
  }),
};

export default defineConfig({
  plugins: [routerWithoutWarnings, react(), preloadFonts(), apiDocument(), writeTemplates(), compressAssets()],
  // Pico's sources use syntax that Sass is about to drop.
  css: { preprocessorOptions: { scss: { quietDeps: true } }, postcss: { plugins: [dropUnusedStyles()] } },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    outDir: process.env.OUT ?? 'dist',
    emptyOutDir: true,
    manifest: true,
    target: browsers,
    // The content security policy allows neither inline scripts nor data: fonts.
    modulePreload: {
      polyfill: false,
      // Do not preload what every page has already.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'js' ? files.filter((file) => !/(rolldown-runtime|libraries|site)-/.test(file)) : files),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'src/start.ts'],
      output: {
        // A chunk names each chunk that it imports: hexadecimal digits compress to four bytes a name, letters to six.
        hashCharacters: 'hex',
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkNames(import.meta.dirname) }],
        },
      },
    },
  },
  test: {
    css: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        // Rules, dates and words: no DOM, and no state shared between files.
        test: { name: 'rules', environment: 'node', isolate: false, include: ['src/**/*.test.ts'], exclude: inBrowser },
      },
      {
        extends: true,
        test: { ...screens, name: 'screens', setupFiles: ['src/test/setup.ts'], include: ['src/**/*.test.tsx', ...inBrowser] },
      },
      {
        extends: true,
        // The same tests again with simulated page translation.
        test: { ...screens, name: 'translated', setupFiles: ['src/test/setup.ts', 'src/test/translated-setup.ts'], include: ['src/**/*.test.tsx'], exclude: ['src/pages.test.tsx'] },
      },
    ],
  },
});
