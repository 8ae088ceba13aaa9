// For scripts that use src: Node 20 can't load TypeScript, so what they import is bundled in memory first.
import { join } from 'node:path';
import { build } from 'esbuild';

/** The exports of a piece of TypeScript that stands in src. */
export async function importSource(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '..', 'src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
