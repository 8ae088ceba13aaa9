/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

/** The agent appends a line and hangs until it may end; it appends nothing if its prompt says what is there. */
const APPENDS = `
prompt=$(cat)
case $prompt in
  *'do nothing a second time'*) ;;
  *) mkdir -p src; echo 'export const a = 1;' >> src/log.js ;;
esac
echo > "ready$(ls ready* 2>/dev/null | wc -l)"
while [ ! -e .ralph/go ]; do sleep 0.05; done
${SHELL_CLAIM}`;

function project(config = ''): Project {
  return makeProject({
    '.gitignore': 'ready*\n',
    '.ralph/ralph.toml': `${shellAgent('grace = 0.2\n')}${config}`,
    'agent.sh': APPENDS,
  });
}

/** Starts a run and ends it in the middle of an attempt. */
async function cut(project: Project, signal: 'SIGKILL' | 'SIGINT', before = 0): Promise<void> {
  const { child, ended } = project.start('run');
  await project.appears(`ready${before}`);
  child.kill(signal);
  await ended;
}

const promptText = (project: Project, iteration: number) => project.promptOf(iteration).replace(/\s+/g, ' ');

describe.concurrent('an attempt that follows one that was cut off', () => {
  it.each([
    ['killed', 'SIGKILL', 'An attempt at this task (iteration 1) was cut off before it ended'],
    ['stopped', 'SIGINT', 'An attempt at this task (iteration 1) was stopped by the user before it ended'],
  ] as const)('learns what is there when it was %s', async (_how, signal, seen) => {
    const one = project();
    await cut(one, signal);
    const shown = one.ralph('prompt', 'T-1').stdout;
    if (signal === 'SIGINT') expect(shown).toContain('`src/log.js`');
    one.write('.ralph/go', '');
    expect(await one.jsonLater('run')).toMatchObject({ ending: 'all_done', iterations: 1 });
    const prompt = promptText(one, 2);
    expect(prompt).toContain(seen);
    expect(prompt).toContain('`src/log.js` (added, +1 −0)');
    expect(prompt).toContain('do nothing a second time');
    expect(prompt).toContain('This is attempt 1 of 3');
    expect(one.read('src/log.js')).toBe('export const a = 1;\n');
  });

  it('learns of all of them', async () => {
    const one = project();
    await cut(one, 'SIGKILL');
    await cut(one, 'SIGKILL', 1);
    one.write('.ralph/go', '');
    expect(await one.jsonLater('run')).toMatchObject({ ending: 'all_done' });
    const prompt = promptText(one, 3);
    expect(prompt).toContain('2 attempts at this task (iterations 1, 2) were cut off before they ended');
    expect(one.read('src/log.js')).toBe('export const a = 1;\n');
  });

  it('learns of it with several workers, too', async () => {
    const one = project('\n[parallel]\nworkers = 2\n');
    await cut(one, 'SIGKILL');
    one.write('.ralph/go', '');
    expect(await one.jsonLater('run')).toMatchObject({ ending: 'all_done' });
    expect(promptText(one, 2)).toContain('`src/log.js` (added, +1 −0)');
    expect(one.read('src/log.js')).toBe('export const a = 1;\n');
  });

  it('learns of it where a commit of the user moved what it begins on', async () => {
    const one = project();
    await cut(one, 'SIGKILL');
    one.write('NOTES.md', 'Hello\n');
    one.git('add', 'NOTES.md');
    one.git('commit', '-q', '-m', 'Notes', '--', 'NOTES.md');
    one.write('.ralph/go', '');
    expect(await one.jsonLater('run')).toMatchObject({ ending: 'all_done' });
    expect(promptText(one, 2)).toContain('`src/log.js` (added, +1 −0)');
    expect(one.read('src/log.js')).toBe('export const a = 1;\n');
  });
});
