import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { repositoryAt, temporaryFolder } from '../../helpers/repository.ts';

const HELP =
  'Options:\n  --max-cost <amount>  ends there\n  --max-costs-of-all=N  not this one\n  --kind[=K]\n';

function programIn(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'mine');
  writeFileSync(path, `#!/bin/sh\necho x >>"$(dirname "$0")/asked"\n${text}`);
  chmodSync(path, 0o755);
  return folder;
}

const procIn = (root: string, PATH: string) => openProc({ clock: systemClock(), env: { PATH }, root });

it('reports the switches that the help of a program names, and asks it once', async () => {
  const folder = programIn(join(temporaryFolder(), 'bin'), `cat <<'EOF'\n${HELP}EOF\n`);
  const proc = procIn(temporaryFolder(), folder);
  const names = ['--max-cost', '--max-costs-of-all', '--kind', '--max', '-h'];
  const known = await Promise.all(names.map((name) => proc.hasSwitch('mine', name)));
  expect(known).toEqual([true, true, true, false, false]);
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('x\n');
});

it('a program that fails, or is not there, has none', async () => {
  const folder = programIn(join(temporaryFolder(), 'bin'), 'echo --max-cost; exit 1\n');
  const proc = procIn(temporaryFolder(), folder);
  expect(await proc.hasSwitch('mine', '--max-cost')).toBe(false);
  expect(await proc.hasSwitch('other', '--max-cost')).toBe(false);
});

it('one that agents can write to is not started', async () => {
  const root = temporaryFolder();
  repositoryAt(root).git('init', '-q', '--template=');
  const folder = programIn(join(root, 'bin'), 'echo --max-cost\n');
  expect(await procIn(root, folder).hasSwitch('mine', '--max-cost')).toBe(false);
  expect(() => readFileSync(join(folder, 'asked'))).toThrow('ENOENT');
});
