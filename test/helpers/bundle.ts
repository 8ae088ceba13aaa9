import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { temporaryFolder } from './repository.ts';

/**
 * Bundles a program of these tests or of `src` (`at`: its URL) as one file that plain node runs, in a folder of its
 * own. Returns its path.
 */
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
    // CommonJS packages load Node's modules with `require`. Written in two parts, this text isn't changed by the bundle
    // of the torture run.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta['url']);",
    },
  });
  return outfile;
}
