// Imports modules of src into scripts: Node 20 can't load TypeScript, so they are bundled in memory first.
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Returns the exports of a piece of TypeScript whose imports are relative to src; modules in `unused` are never loaded.
 */
export async function importSource(contents, unused = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '..', 'src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    external: unused,
    // CommonJS packages in the bundle load Node's modules with `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
