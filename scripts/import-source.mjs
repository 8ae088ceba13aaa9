// For scripts that use src: Node 20 can't load TypeScript, so what they import is bundled in memory first.
import { join } from 'node:path';
import { build } from 'esbuild';

/** The exports of a piece of TypeScript that stands in src; `unused` imports in it are never loaded. */
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
    // What is CommonJS in the bundle asks for Node's modules so.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
