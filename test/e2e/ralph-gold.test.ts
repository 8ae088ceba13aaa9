/** @module-tag slow */

import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Project, projectAt } from '../helpers/cli.ts';
import { makeRepository } from '../helpers/repository.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/ralph-gold/', import.meta.url));
const PRD = readFileSync(`${FIXTURES}project/.ralph/PRD.md`, 'utf8');

let project: Project;

beforeEach(() => {
  const repository = makeRepository(null);
  cpSync(`${FIXTURES}project`, repository.root, { recursive: true });
  repository.commitAll('as ralph-gold left it');
  project = projectAt(repository.root);
});

type Listed = {
  id: string;
  title: string;
  status: string;
  attempts: number;
  blocked: { reason: string } | null;
};

const tasks = (): Listed[] => project.json('tasks').tasks;
const task = (title: string) => tasks().find((one) => one.title === title);

describe('a ralph-gold project opens as it is', () => {
  it('lists its tasks with the attempts and blocked tasks of state.json, which calls them by their place', () => {
    expect(tasks().map(({ title, status, attempts }) => [title, status, attempts])).toEqual([
      ['Store notes in a file', 'done', 1],
      ['Search notes', 'open', 2],
      ['Send notes by mail', 'blocked', 1],
      ['Delete a note', 'open', 0],
    ]);
    expect(task('Send notes by mail')?.blocked).toMatchObject({ reason: 'gate_failed' });
  });

  it('says once, in one line, what was taken over', () => {
    const notices: string[] = project.json('status').notices;
    expect(notices.filter((notice) => notice.startsWith('Read once:'))).toEqual([
      expect.stringContaining('4 attempts and 1 blocked task taken over from ralph-gold'),
    ]);
    expect(JSON.stringify(project.json('status').notices)).not.toContain('Read once:');
  });

  it('ralph import does the same by hand, and twice gives the same', () => {
    const imported = { exit_code: 0, attempts: 4, blocked: 1 };
    expect(project.json('import')).toMatchObject({
      ...imported,
      notices: expect.arrayContaining([expect.stringContaining('Read once:')]),
    });
    const listed = tasks();
    const journal = project.read('.ralph/journal.jsonl');
    const again = project.json('import');
    expect(again).toMatchObject(imported);
    expect(JSON.stringify(again.notices)).not.toContain('Read once:');
    expect(tasks()).toEqual(listed);
    expect(project.read('.ralph/journal.jsonl')).toBe(journal);
  });

  it('records that can not be read are named once, keep no command from working, and are read by hand later', () => {
    const text = project.read('.ralph/state.json');
    project.write('.ralph/state.json', text.slice(0, 40));
    expect(project.ralph('status').stderr).toContain('.ralph/state.json was not taken over');
    const { code, stderr } = project.ralph('run', '--agent', 'local', '--dry-run');
    expect([code, stderr.includes('not taken over')]).toEqual([0, false]);
    expect(project.read('.ralph/state.json')).toBe(text.slice(0, 40));
    project.write('.ralph/state.json', text);
    expect(project.json('import')).toMatchObject({ attempts: 4, blocked: 1 });
  });

  it('leaves its files as they are', () => {
    project.ralph('status');
    expect(project.git('status', '--porcelain', '--', '.ralph/PRD.md', '.ralph/ralph.toml')).toBe('');
  });

  it('uses its prompt template and its timeouts', () => {
    const { prompt } = project.json('prompt');
    expect(prompt).toContain('You work inside a loop.');
    expect(prompt).toContain('Search notes');
    // The timeout is the mode's 90 s, times a level of the project's own, times 1.5 for each attempt in state.json that
    // timed out.
    expect(project.json('explain').task.timeout_reason).toMatch(/ s = 90 × .* × 1\.5\^\d$/);
  });

  it('nothing keeps its run from starting, and no warning says what is not so', () => {
    const { code, stdout, stderr } = project.ralph('run', '--agent', 'local', '--dry-run');
    const output = `${stdout}${stderr}`;
    expect(code, output).toBe(0);
    expect(output).not.toContain('unknown');
    expect(output).not.toContain('there is no file');
  });

  it('names a file of agents that is missing by the key that you wrote', () => {
    project.remove('.ralph/AGENTS.md');
    const said = 'there is no file .ralph/AGENTS.md';
    expect(project.ralph('status').stderr).toContain(`ralph.toml:34: [files] agents has no effect: ${said}`);
    expect(project.ralph('status').stderr).not.toContain('there is no file AGENTS.md');
  });

  it('its prompt gets the notes, and the rules that stand above its own orders', () => {
    const { prompt } = project.json('prompt');
    expect(prompt).toContain('## Repository Notes');
    expect(prompt).toContain('Tests run with `sh test.sh`.');
    const rules = prompt.slice(prompt.indexOf('## Rules of the Loop'));
    expect(rules).toContain('Leave the task list and everything under `.ralph/` alone');
    expect(rules).toContain('Do not commit');
    expect(prompt.indexOf('mark it done in the PRD')).toBeLessThan(prompt.indexOf('## Rules of the Loop'));
  });

  it('one line says which of its orders the rules take back', () => {
    const lines = project.ralph('status').stderr.split('\n');
    const said = lines.filter((line) => line.includes('.ralph/PROMPT_build.md'));
    expect(said).toEqual([
      expect.stringContaining('.ralph/PROMPT_build.md:6: lines 6, 8, 13, 14 order what ralph does itself'),
    ]);
    project.write('.ralph/PROMPT_build.md', 'Do one task. Leave .ralph/ alone.\n');
    expect(project.ralph('status').stderr).not.toContain('PROMPT_build.md');
  });

  it('says at the import what permissions.json asked for and what keeps files from agents here', () => {
    const said = project.json('status').notices.join('\n');
    expect(said).toContain(
      '.ralph/permissions.json: not used; it has 2 patterns, 1 of them forbids writing (migrations/**)',
    );
    expect(project.json('status').notices.join('\n')).not.toContain('permissions.json');
  });

  it('its .gitignore gets the rules that it lacks below its own lines', () => {
    const before = project.read('.ralph/.gitignore');
    project.ralph('status');
    const after = project.read('.ralph/.gitignore');
    expect(after.startsWith(`${before}\n`)).toBe(true);
    const hidden = ['journal.jsonl', 'runs/r-1/run.json', 'state.lock', 'logs/a.log'];
    for (const name of hidden) expect(project.git('check-ignore', `.ralph/${name}`)).not.toBe('');
    expect(project.git('status', '--porcelain', '--', '.ralph')).toBe(' M .ralph/.gitignore');
    project.ralph('feedback', 'add', 'Use tabs.');
    expect(project.read('.ralph/.gitignore')).toBe(after);
  });

  it('a run ends with all open tasks verified, with an agent that says nothing but EXIT_SIGNAL: true', () => {
    const result = project.json('run', '--agent', 'local');
    expect(result).toMatchObject({ exit_code: 4, ending: 'all_blocked' });
    expect(tasks().map(({ status }) => status)).toEqual(['done', 'done', 'blocked', 'done']);
    expect(project.iterations()).toEqual([6, 7]);
    const marked = PRD.replace('[ ] Search', '[x] Search').replace('[ ] Delete', '[x] Delete');
    expect(project.read('.ralph/PRD.md')).toBe(marked);
  });

  it('and all of them when the user takes the blocked mark away', () => {
    project.write('.ralph/PRD.md', PRD.replace('[-] Send', '[ ] Send'));
    expect(project.json('run', '--agent', 'local')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(tasks().every(({ status }) => status === 'done')).toBe(true);
  });

  it('max_attempts_per_task = 0 never blocks', () => {
    project.write('.ralph/agent.sh', 'cat > /dev/null\necho "EXIT_SIGNAL: true"\n');
    // The third claim without a change reaches the last rung of `no_files`, which asks you; the task isn't blocked.
    expect(project.json('run', '--agent', 'local', '--task', task('Search notes')?.id ?? '')).toMatchObject({
      ending: 'awaiting_human',
      next: expect.arrayContaining(['ralph resume INC-1']),
    });
    // Two attempts were taken over and three made by this run; by default, three would have blocked the task.
    expect(task('Search notes')).toMatchObject({ status: 'parked', blocked: null, attempts: 2 + 3 });
  });

  it.each([
    ['prd.json', ['1', '2']],
    ['tasks.yaml', ['1', '2']],
  ])('also with %s', (name, ids) => {
    project.remove('.ralph/PRD.md');
    cpSync(`${FIXTURES}${name}`, project.path(`.ralph/${name}`));
    project.write('.ralph/ralph.toml', project.read('.ralph/ralph.toml').replace('PRD.md', name));
    expect(tasks().map(({ id, status, attempts }) => [id, status, attempts])).toEqual([
      [ids[0], 'done', 1],
      [ids[1], 'open', 2],
    ]);
    expect(project.json('run', '--agent', 'local')).toMatchObject({ exit_code: 0 });
  });

  it('an unknown key is an error with the nearest one and its line', () => {
    project.write('.ralph/ralph.toml', '[loop]\nmax_iteration = 3\n[loop.mode]\nspeed = 1\n');
    const { code, stderr } = project.ralph('run');
    expect(code).toBe(2);
    expect(stderr).toContain(
      '.ralph/ralph.toml:2: unknown key "max_iteration" in [loop]; did you mean "max_iterations"?',
    );
  });

  it('says what a setting became, and which has no effect', () => {
    const text = '[interventions]\nintervention_cooldown_seconds = 5\npolicy_mode = "recommend-only"\n';
    project.write('.ralph/ralph.toml', text);
    const { code, stdout, stderr } = project.ralph('status');
    expect(code).toBe(0);
    const output = `${stdout}${stderr}`.replace(/\s+/g, ' ');
    expect(output).toContain('intervention_cooldown_seconds is read as [interventions] cooldown_seconds');
    expect(output).toContain('[interventions] policy_mode has no effect: ');
  });

  describe('a key that nothing knows', () => {
    beforeEach(() => {
      const text = project.read('.ralph/ralph.toml');
      project.write('.ralph/ralph.toml', `${text}\n[snapshot]\nzzz = 1\n`);
    });

    it.each(['status', 'tasks', 'blocked', 'explain', 'profile'])('is a warning of ralph %s', (command) => {
      const { code, stderr, stdout } = project.ralph(command);
      expect(code).toBe(0);
      expect(`${stdout}${stderr}`).toMatch(/ralph\.toml:\d+: unknown key "zzz" in \[snapshot\]/);
    });

    it.each([['run'], ['step'], ['run', '--dry-run']])('keeps ralph %s from starting', (...command) => {
      const { code, stderr } = project.ralph(...command);
      expect(code).toBe(2);
      expect(stderr.match(/unknown key/g)).toHaveLength(1);
      expect(project.exists('.ralph/runs')).toBe(false);
    });

    it('is a warning of ralph doctor', () => {
      const { findings } = project.json('doctor');
      expect(findings.find(({ id }: { id: string }) => id === 'config.unknown_key')).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('the nearest key is'),
      });
    });
  });

  describe('ralph doctor', () => {
    type Finding = { id: string; status: string; title: string; detail: string };
    const findings = (): Finding[] => project.json('doctor').findings;
    const of = (id: string) => findings().find((one) => one.id === id);
    const details = (id: string) =>
      findings()
        .filter((one) => one.id === id)
        .map(({ detail }) => detail)
        .join('\n');

    it('says what was translated, what has no counterpart, and what will be taken over', () => {
      expect(of('config.read')?.status).toBe('ok');
      expect(details('config.new_name')).toContain('[files] prd is read as [tracker] path');
      expect(details('config.warning')).toContain('[gates] fail_fast has no effect: every gate runs');
      expect(details('config.warning')).toContain('[interventions] policy_mode has no effect');
      expect(of('ralph_gold.to_import')?.detail).toContain('4 attempts and 1 blocked task');
      expect(of('git.tracked')?.detail).toContain('.ralph/state.json');
      expect(project.exists('.ralph/journal.jsonl')).toBe(false);
    });

    it('and afterwards what was taken over', () => {
      project.ralph('status');
      expect(of('ralph_gold.imported')?.detail).toBe('4 attempts and 1 blocked task from state.json');
      expect(of('ralph_gold.to_import')).toBeUndefined();
    });

    it('warns of a root ralph.toml, which is not read', () => {
      project.write('ralph.toml', '[loop]\nmax_iterations = 1\n');
      expect(of('ralph_gold.root_file')).toMatchObject({ status: 'warning' });
    });

    it('advises against a stock runner that hides the built-in agent', () => {
      project.write('bin/claude', '#!/bin/sh\necho 2.1.0\n', 0o755);
      const text = project.read('.ralph/ralph.toml');
      project.write('.ralph/ralph.toml', text.replace('["claude", "-p"]', '["./bin/claude", "-p"]'));
      expect(of('agents.runner.claude')?.detail).toContain('read as plain text');
    });
  });
});
