import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openGateFiles } from '../../../src/io/proc/gate-files.ts';
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

  it('are what pnpm leads to, whichever of its paths it wrote', () => {
    const { files, path, write } = site();
    const shim = (target: string, version = '1.0.0', more = '') =>
      `#!/bin/sh\n${more}export NODE_PATH="${path('node_modules')}/.pnpm/tool@${version}/node_modules"\nexec "$basedir/node" "$basedir/../${target}" "$@"\n`;
    const seen = (text: string) => {
      write('node_modules/.bin/tool', text, 0o755);
      return files.see(path('node_modules/.bin/tool'));
    };
    for (const version of ['1.0.0', '1.0.0_more@2.0.0'])
      write(`node_modules/.pnpm/tool@${version}/node_modules/tool/cli.js`, 'run();\n');
    symlinkSync('.pnpm/tool@1.0.0/node_modules/tool', path('node_modules/tool'));
    const first = seen(shim('tool/cli.js'));
    expect(first).toMatchObject({
      path: path('node_modules/.pnpm/tool@1.0.0/node_modules/tool/cli.js'),
      text: 'run();\n',
      executable: true,
    });
    expect(seen(shim('.pnpm/tool@1.0.0/node_modules/tool/cli.js'))).toEqual(first);
    const another = seen(shim('tool/cli.js', '1.0.0_more@2.0.0'));
    expect(another?.hash).toBe(first?.hash);
    expect(seen(shim('tool/cli.js', '1.0.0', 'exit 0\n'))?.hash).not.toBe(first?.hash);
    write('node_modules/tool/cli.js', 'other();\n');
    expect(seen(shim('tool/cli.js'))?.hash).not.toBe(first?.hash);
    expect(seen('#!/bin/sh\nexit 0\n')).toMatchObject({ text: '#!/bin/sh\nexit 0\n' });
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

  it('are found where a gate in a box sees them: what an agent put first in PATH lies in the copy alone', () => {
    const { root, path } = site();
    const copy = makeRepository({ 'tools/own': '#!/bin/sh\n' });
    chmodSync(copy.path('tools/own'), 0o755);
    mkdirSync(copy.path('bin'));
    // The link's target is absolute, as programs in the box see it.
    symlinkSync(path('tools/own'), copy.path('bin/grep'));
    const at = (one: string) => (one.startsWith(root) ? copy.path(one.slice(root.length)) : one);
    const env = { PATH: `${path('bin')}:/usr/bin:/bin` };
    const files = openGateFiles({ root, env, at });
    expect([files.program('grep'), files.program('tool')]).toEqual([path('bin/grep'), null]);
  });
});
