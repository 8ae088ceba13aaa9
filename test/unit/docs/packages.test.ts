import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/repository.ts';
import { PACKAGES } from '../../helpers/source-files.ts';

const TOP = join(import.meta.dirname, '../../..');
/** Lines of a README that are read at one sitting. */
const LONGEST = 100;

/** The values of an example's lines that end with a comment, and what the comment says that they are. */
async function valuesOf(example: string): Promise<readonly (readonly [is: unknown, said: unknown])[]> {
  const code = example.replaceAll(/^(?!import )(.+); \/\/ (.+)$/gm, 'values.push([$1, $2]);');
  const outfile = join(temporaryFolder(), 'example.mjs');
  await build({
    stdin: { contents: `export const values = [];\n${code}`, loader: 'ts', resolveDir: TOP },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  return (await import(pathToFileURL(outfile).href)).values;
}

describe.each(PACKAGES)('packages/%s/README.md', (name) => {
  const text = readFileSync(join(TOP, 'packages', name, 'README.md'), 'utf8');

  it('is a page', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(LONGEST);
  });

  it('has an example that is true', async () => {
    const [, example = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const values = await valuesOf(example);
    expect(values.length).toBeGreaterThan(0);
    expect(values.map(([is]) => is)).toEqual(values.map(([, said]) => said));
  });

  it('says where it ends', () => {
    expect(text).toMatch(/^## Limits$/m);
  });
});
