import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** One file of `driver.ts`, for trials that kill ralph. Gives its path. */
export function bundleDriver(folder: string): Promise<string> {
  return bundleHelper('driver', folder);
}

/** Makes one file of a program in this folder, as the released program is made. Gives its path. */
export async function bundleHelper(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}
