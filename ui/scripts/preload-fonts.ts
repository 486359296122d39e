// Vite plugin: preloads the two fonts of the first screen (headings and text) together with the style sheet.
import type { HtmlTagDescriptor, Plugin } from 'vite';

const first_screen = /source-(serif-4-latin-600|sans-3-latin-400)-normal/;

export function preloadFonts(): Plugin {
  return {
    name: 'schoolhouse:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter(
          (name) => name.endsWith('.woff2') && first_screen.test(name),
        );
        return fonts.map(
          (name): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
            injectTo: 'head',
          }),
        );
      },
    },
  };
}
