// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates.
import { describe, expect, it } from 'vitest';
import { rulingWith } from './place.ts';

const DELETES = 'deny deletion_outside';

const PACKAGE = JSON.stringify({
  scripts: { build: 'tsc', prebuild: 'rm -rf /etc/x', ok: 'tsc' },
});

describe('what a program finds in a file of recipes is judged when it runs it', () => {
  it.each([
    ['package.json', PACKAGE, 'npm run build', DELETES],
    ['package.json', PACKAGE, 'npm run ok', 'allow'],
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
