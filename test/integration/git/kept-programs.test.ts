import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepPrograms } from '../../../src/git/view/kept-programs.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

it.each([
  ['filter.x.clean', 'tools/run.sh %f'],
  ['filter.x.process', 'sh tools/run.sh'],
  ['gpg.program', 'tools/run.sh'],
  ['gpg.ssh.program', './tools/run.sh'],
  ['core.sshcommand', 'tools/run.sh -v'],
  ['credential.helper', '!sh tools/run.sh'],
  ['credential.https://example.org.helper', '!tools/run.sh'],
])('a program of the work tree that %s names stays what it was', (key, value) => {
  const [top, folder] = [temporaryFolder(), temporaryFolder()];
  const script = join(top, 'tools', 'run.sh');
  mkdirSync(join(top, 'tools'));
  writeFileSync(script, 'before');
  chmodSync(script, 0o755);
  const [kept] = keepPrograms([{ scope: 'local', key, value }], top, folder);
  writeFileSync(script, 'after');
  const copy = join(folder, 'tools', 'run.sh');
  expect(kept?.value).toBe(value.replace(/(?:\.\/)?tools\/run\.sh/, copy));
  expect(readFileSync(copy, 'utf8')).toBe('before');
});

it.each([
  ['gpg.program', 'gpg2'],
  ['gpg.program', '/usr/bin/gpg'],
  ['user.name', 'tools/run.sh'],
  ['core.sshcommand', 'ssh -i missing.key'],
])('%s = %s stays as it is', (key, value) => {
  expect(keepPrograms([{ scope: 'local', key, value }], temporaryFolder(), temporaryFolder())).toEqual([
    { scope: 'local', key, value },
  ]);
});
