import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { temporaryFolder } from './repository.ts';

/** A program of these tests or of `src` (`at`: its URL) as one file that plain node runs, in a folder of its own. */
export async function bundle(at: URL): Promise<string> {
  const outfile = join(temporaryFolder(), `${basename(at.pathname, '.ts')}.mjs`);
  await build({
    entryPoints: [decodeURIComponent(at.pathname)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    // Packages that are CommonJS ask for Node's modules with it. Written this way, the bundle of the torture run leaves the text as it is.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta['url']);",
    },
  });
  return outfile;
}
