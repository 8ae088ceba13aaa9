import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openGateFiles } from '../../../src/io/gate-files.ts';
import { makeRepository } from '../../helpers/repository.ts';

function site() {
  const repository = makeRepository({ 'check.sh': 'npm test\n', 'bin/tool': '#!/bin/sh\n' });
  chmodSync(repository.path('bin/tool'), 0o755);
  const env = { PATH: `bin:/usr/bin:/bin` };
  return { ...repository, files: openGateFiles({ root: repository.root, env, at: (path) => path }) };
}

describe('files that a gate runs', () => {
  it('are told apart by their content, and by what they are behind a link', () => {
    const { files, path } = site();
    const before = files.see(path('check.sh'));
    expect(before).toMatchObject({ text: 'npm test\n', executable: false });
    writeFileSync(path('check.sh'), 'npm tess\n');
    expect(files.see(path('check.sh'))?.hash).not.toBe(before?.hash);
    writeFileSync(path('check.sh'), 'npm test\n');
    expect(files.see(path('check.sh'))?.hash).toBe(before?.hash);
    symlinkSync('bin/tool', path('link'));
    expect(files.see(path('link'))).toEqual(files.see(path('bin/tool')));
    chmodSync(path('check.sh'), 0o755);
    expect(files.see(path('check.sh'))?.executable).toBe(true);
  });

  it('are not waited for, nor read without end', () => {
    const { files, path } = site();
    execFileSync('mkfifo', [path('pipe')]);
    symlinkSync('loop', path('loop'));
    symlinkSync('/dev/null', path('null'));
    for (const name of ['pipe', 'loop', 'null', 'bin', 'nowhere', 'check.sh/x']) {
      expect(files.see(path(name))).toBeNull();
    }
    truncateSync(path('check.sh'), 3_000_000_000);
    expect(files.see(path('check.sh'))?.text).toBe('');
  });

  it('are found by PATH as a gate finds them', () => {
    const { files, path } = site();
    expect(files.program('sh')).toBe('/usr/bin/sh');
    expect(files.program('tool')).toBe(path('bin/tool'));
    expect(files.program('no-such-tool')).toBeNull();
  });
});
