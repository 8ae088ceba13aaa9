import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A worker of this folder as one file that plain node runs; the caller removes its folder. */
export async function bundleWorker(
  source = 'worker.ts',
): Promise<{ readonly script: string; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-worker-'));
  const script = join(folder, 'worker.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, source)],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return { script, folder };
}
