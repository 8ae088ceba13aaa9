// Bundles the command line and the scripted agent into dist/: one file each plus lazily loaded chunks.
import { readdir, rm } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { build } from 'esbuild';

const { metafile } = await build({
  entryPoints: { 'cli/main': 'src/cli/main.ts', 'scripted/main': 'src/scripted/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // Some bundled packages are CommonJS and call require() for Node's own modules.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});

// What earlier builds left goes last, so that a ralph that is running meanwhile always finds its files.
const written = new Set(Object.keys(metafile.outputs).map((path) => normalize(path)));
for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !written.has(path)) await rm(path);
}
