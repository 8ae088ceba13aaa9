/** @module-tag slow */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, ONE_TASK, SHELL_CLAIM } from '../helpers/cli.ts';

const DONE = ONE_TASK.replace('[ ]', '[x]');

/** Returns a project with a command of yours as the agent, and settings of its runner. */
function project(agent: string, runner = '', more: Record<string, string> = {}) {
  return makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\nmax_attempts_per_task = 1\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n${runner}`,
    'agent.sh': `cat >/dev/null\n${agent}`,
    ...more,
  });
}

describe('an agent of your own', () => {
  it('that needs settings which the box hides is given the line that shows them, which helps', () => {
    const settings = join(process.env.HOME ?? '', '.mine');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'config'), 'signed in');
    const needs = `test -e ~/.mine/config || { echo "no configuration" >&2; exit 1; }\necho x > "$RALPH_TASK_ID.js"\n${SHELL_CLAIM}`;
    const one = project(needs);
    const line = '[box] writable = ["~/.mine"]';
    expect(one.ralph('doctor').stdout.replace(/\s+/g, ' ')).toContain(line);
    expect(one.json('run').exit_code).not.toBe(0);
    expect(one.iteration(1).decisions.cause).toContain(`no configuration. The box hides ~/.mine`);
    expect(one.iteration(1).decisions.cause).toContain(line);
    expect(one.ralph('report').stdout.replace(/\s+/g, ' ')).toContain(line);

    const shown = project(needs, `\n[box]\nwritable = ["~/.mine"]\n`);
    expect(shown.ralph('doctor').stdout.replace(/\s+/g, ' ')).not.toContain('may keep its settings');
    expect(shown.json('run').exit_code).toBe(0);
  });

  it.each(['/tmp', '~'])(
    'whose script is in a folder below %s that the box hides has its script, and what is beside it',
    (around) => {
      const folder = mkdtempSync(join(around.replace('~', process.env.HOME ?? ''), 'tools-'));
      writeFileSync(join(folder, 'words.sh'), SHELL_CLAIM);
      writeFileSync(
        join(folder, 'own.sh'),
        `cat >/dev/null\necho x > "$RALPH_TASK_ID.js"\n. "\${0%/*}/words.sh"\n`,
      );
      const one = makeProject({
        '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", ${JSON.stringify(join(folder, 'own.sh'))}]\n`,
      });
      expect(one.json('run').exit_code).toBe(0);
      rmSync(folder, { recursive: true });
    },
  );

  it('whose script stands at the top of the home folder shows nothing else of it', () => {
    const home = process.env.HOME ?? '';
    writeFileSync(join(home, 'mine.sh'), `cat >/dev/null\nls -a ~ > "$RALPH_TASK_ID.js"\n${SHELL_CLAIM}`);
    writeFileSync(join(home, 'diary.txt'), 'private');
    const one = makeProject({
      '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", ${JSON.stringify(join(home, 'mine.sh'))}]\n`,
    });
    expect(one.json('run').exit_code).toBe(0);
    expect(one.read('T-1.js')).toContain('mine.sh');
    expect(one.read('T-1.js')).not.toContain('diary.txt');
  });

  it('that prints its words inside of JSON is read by a path', () => {
    const block = 'RALPH_STATUS\\\\nTASK: T-1\\\\nSTATUS: DONE\\\\nEXIT_SIGNAL: true\\\\nEND_RALPH_STATUS';
    const agent = `echo x > "$RALPH_TASK_ID.js"\nprintf '{"type":"say","message":{"text":"Working"}}\\n{"type":"say","message":{"text":"${block}"}}\\n'\n`;
    const one = project(agent, 'output = "json:message.text"\n');
    expect(one.json('run').exit_code).toBe(0);
    expect(one.read('.ralph/PRD.md')).toBe(DONE);

    const wrong = makeProject({ '.ralph/ralph.toml': '[runners.mine]\nargv = ["x"]\noutput = "json:"\n' });
    expect(wrong.ralph('run').code).toBe(2);
  });

  it.each([144, 147, 173, 244])('that ends with %i was ended by no signal', (code) => {
    const one = project(`exit ${code}\n`);
    one.json('run');
    expect(one.iteration(1).facts.end).toEqual({ kind: 'exited', code });
  });

  it('gets notes once: not those that the program reads itself, where they are committed', () => {
    const notes = { 'AGENTS.md': 'NOTES-OF-THE-REPOSITORY\n' };
    const reader = { '.ralph/ralph.toml': '[loop]\nagent = "opencode"\n' };
    const [own, read] = [project('exit 1\n', '', notes), makeProject({ ...reader, ...notes })];
    expect(own.ralph('prompt').stdout).toContain('NOTES-OF-THE-REPOSITORY');
    expect(read.ralph('prompt').stdout).not.toContain('NOTES-OF-THE-REPOSITORY');
    own.json('run');
    expect(own.promptOf(1)).toContain('NOTES-OF-THE-REPOSITORY');
  });
});
