/** @module-tag slow */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { detectBox } from 'ralph-box';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BIN, makeProject, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { openGate } from '../helpers/open-gate.ts';

const RALPH = `"${process.execPath}" "${BIN}"`;
const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n';
const PEOPLE = '[human.people."person@example.com"]\nrole = "tech_lead"\n';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';
const NAMED = 'put a `ralph` of its own before yours on PATH';

/** Each row is what an agent tries, and whether that works without a box. */
const TRIES: readonly (readonly [command: string, withoutBox: 'yes' | 'no'])[] = [
  [`${RALPH} approvals decide G-1 approve`, 'no'],
  [`${RALPH} approvals report e-1 --reason x`, 'no'],
  [`${RALPH} whitelist add test_skip --reason x`, 'no'],
  [`env -u RALPH_TASK_ID sh -c '${RALPH} approvals decide G-1 approve'`, 'no'],
  // Untracked files aren't in the copy, and tracked files change only there.
  ["echo '{}' >> .ralph/gates/decisions.log", 'no'],
  ['echo x > .ralph/gates/G-1.json', 'no'],
  ['sed -i s/tech_lead/developer/ .ralph/ralph.toml', 'yes'],
  // Without a box these aren't noticed: an agent that may write there can do them, as docs/THREAT_MODEL.md says.
  ['echo evil > ~/bin/ralph', 'yes'],
  ['for home in "$XDG_STATE_HOME"/ralph/*/; do echo x > "$home/allowed_signers" || exit 1; done', 'yes'],
];

beforeEach(() => {
  const bin = join(homedir(), 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec ${RALPH} "$@"\n`);
  chmodSync(join(bin, 'ralph'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
});
afterEach(() => vi.unstubAllEnvs());

describe.each([
  ['in the box', isWhole],
  ['without a box', true],
] as const)('from inside of an attempt, %s', (where, can) => {
  const isBoxed = where === 'in the box';

  it.skipIf(!can)('nothing at a human gate is decided', async () => {
    vi.stubEnv('RALPH_BOX_MODE', isBoxed ? 'require' : 'off');
    const tried = TRIES.map(
      ([command], index) =>
        `if (${command}) >/dev/null 2>&1; then echo "${index} yes"; else echo "${index} no"; fi`,
    );
    const one = makeProject({
      '.ralph/PRD.md': LIST,
      '.ralph/ralph.toml': `${shellAgent('max_iterations = 1')}${PEOPLE}`,
      '.gitignore': 'said.txt\n',
      'agent.sh': `cat > /dev/null\n{\n${tried.join('\n')}\n} > said.txt\necho work > one.txt\n${SHELL_CLAIM}`,
    });
    one.git('config', 'user.email', 'person@example.com');
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-2' });
    one.json('whitelist', 'add', 'test_focus', '--reason', 'a line in the log');
    const settings = one.read('.ralph/ralph.toml');
    const log = one.read('.ralph/gates/decisions.log');

    one.ralph('run');
    const expected = TRIES.map(([, open], index) => `${index} ${isBoxed ? 'no' : open}`);
    expect(one.readCopy('said.txt').trim().split('\n')).toEqual(expected);
    expect(one.json('approvals').open).toMatchObject([{ id: 'G-1', task_id: 'T-2' }]);
    expect(one.json('whitelist').entries).toMatchObject([{ pattern: 'test_focus' }]);
    expect(one.read('.ralph/ralph.toml')).toBe(settings);
    expect(one.read('.ralph/gates/decisions.log').startsWith(log)).toBe(true);
    expect(JSON.parse(one.read('.ralph/gates/G-1.json'))).toMatchObject({ id: 'G-1', decision: null });
    expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0, problems: [] });
  });
});

it('what happens without a box and is not noticed is named', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/THREAT_MODEL.md'), 'utf8');
  expect(text).toContain(NAMED);
});
