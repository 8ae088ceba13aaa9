import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageTop } from '../../src/io/package-top.ts';

const ROOT = join(import.meta.dirname, '..', '..');

function outputOf(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

it('takes at most 2.5 MB to download, and holds each program', () => {
  const packed = outputOf('npm', 'pack', '--dry-run', '--json', '--offline', '--ignore-scripts', '--silent');
  const [{ size, files }] = JSON.parse(packed);
  expect(size).toBeLessThanOrEqual(2_500_000);
  expect(files.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining([
      'bin/ralph.js',
      'dist/cli/main.js',
      'dist/evaluate/scripted/main.js',
      'dist/respond/human/document.js',
    ]),
  );
});

it.each([
  ['import', "import { GATES } from 'ralph-gold/human-gates';", 'module'],
  ['require', "const { GATES } = require('ralph-gold/human-gates');", 'commonjs'],
])('the gates can be had by %s', (_, line, type) => {
  const script = `${line} console.log(GATES.FALSE_POSITIVE.id);`;
  expect(outputOf(process.execPath, '--no-warnings', `--input-type=${type}`, '-e', script)).toBe(
    'GATE-AP-FALSE-POSITIVE\n',
  );
});

it('its top is found from any of its files', () => {
  expect(packageTop()).toBe(ROOT);
});
