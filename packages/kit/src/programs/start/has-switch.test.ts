import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/helpers/repository.ts';
import { openSwitches } from './has-switch.ts';

const { HOME } = process.env;
afterEach(() => {
  process.env.HOME = HOME;
});

/** A folder that is a repository, with a program that names its switch. */
function repositoryWithTool() {
  const top = temporaryFolder();
  mkdirSync(join(top, '.git', 'refs'), { recursive: true });
  mkdirSync(join(top, 'bin'));
  writeFileSync(join(top, 'bin', 'tool'), '#!/bin/sh\necho "  --at-most <dollars>"\n');
  chmodSync(join(top, 'bin', 'tool'), 0o755);
  return { top, env: { PATH: join(top, 'bin') } };
}

it('asks a program in a home folder that is a repository, as of dotfiles', async () => {
  const { top, env } = repositoryWithTool();
  process.env.HOME = top;
  const hasSwitch = openSwitches(temporaryFolder(), env);
  expect(await hasSwitch('tool', '--at-most')).toBe(true);
  expect(await hasSwitch('tool', '--other')).toBe(false);
});

it("doesn't ask a program that agents can write", async () => {
  const { top, env } = repositoryWithTool();
  expect(await openSwitches(top, env)('tool', '--at-most')).toBe(false);
});
