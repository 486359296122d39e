// Vite plugin: adds a brotli copy (.br) of every compressible asset, so that the server does not compress at run time
// except once for clients without brotli. The page shell is left out: the server fills it first.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = new Set(['.js', '.css', '.svg', '.json', '.txt', '.webmanifest']);
// Minimum saving of a copy, in bytes.
const smallest_bytes = 512;

export function compressAssets(): Plugin {
  let folder = '';
  return {
    name: 'schoolhouse:compress-assets',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
      if (config.build.outDir.startsWith('/')) folder = config.build.outDir;
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter(
        (entry) =>
          entry.isFile() && compressible.has(extname(entry.name)) && !entry.parentPath.endsWith('.vite'),
      );
      await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
    },
  };
}

/** Writes a file's compressed copy. */
export async function compress(path: string) {
  const content = await readFile(path);
  if (content.length < smallest_bytes) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
}
