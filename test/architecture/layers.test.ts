import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const PROBE = join(ROOT, 'src', 'tasks', 'zz-layer-probe.ts');
const cruise = (...paths: string[]) =>
  spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules', '.bin', 'depcruise'), '--config', '.dependency-cruiser.cjs', ...paths],
    { cwd: ROOT, encoding: 'utf8' },
  );

afterEach(() => rmSync(PROBE, { force: true }));

describe('the layer rules', () => {
  it('hold for the whole of src', () => {
    const { status, stdout } = cruise('src');
    expect(stdout).toContain('no dependency violations found');
    expect(status).toBe(0);
  });

  // Rules that never fire are no rules: each probe is an import that must be refused.
  it.each([
    ['a Node built-in in a deciding room', "import 'node:fs';", 'pure-rooms-have-no-node-built-ins'],
    ['another room', "import '../prompt/index.ts';", 'a-deciding-room-imports-domain-lib-and-itself'],
    ['io from a room', "import '../io/clock.ts';", 'a-deciding-room-imports-domain-lib-and-itself'],
    ['a package off the allow-list', "import 'execa';", 'pure-rooms-use-the-allow-list-of-packages'],
    [
      'a type from another room',
      "import type {} from '../gates/index.ts';",
      'a-deciding-room-imports-domain-lib-and-itself',
    ],
  ])('refuse %s', (_what, line, rule) => {
    writeFileSync(PROBE, `${line}\nexport {};\n`);
    const { status, stdout } = cruise('src/tasks');
    expect(stdout).toContain(rule);
    expect(status).not.toBe(0);
  });

  it('hold for what git tracks: no file of the rooms is left out by an ignore rule', () => {
    const ignored = execFileSync('git', ['ls-files', '--others', '--ignored', '--exclude-standard', 'src'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(ignored).toBe('');
  });
});
