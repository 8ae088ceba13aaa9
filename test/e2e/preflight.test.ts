/** @module-tag slow */

import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { always, claim, makeProject, type Project, type ProjectFiles, withoutBox } from '../helpers/cli.ts';

withoutBox();

const WORK = {
  '.ralph/scenario.json': always({ action: 'write', path: 'a.txt', content: 'a\n' }, claim('a.txt:1 a')),
};

type Check = {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly detail: string;
};

const settings = (text: string): ProjectFiles => ({
  ...WORK,
  '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${text}`,
});

/** Checks that `doctor` and `run` show the same; where a run ends at once, their exit codes are equal. */
function both(project: Project, ...args: string[]): { code: number; text: string; checks: Check[] } {
  const dry = project.json('run', '--dry-run', ...args);
  const run = project.json('run', ...args);
  expect(run.exit_code).toBe(dry.exit_code);
  expect(run.error).toEqual(dry.error);
  expect(run.preflight).toEqual(dry.preflight);
  return {
    code: run.exit_code,
    text: JSON.stringify(run.error ?? run.preflight),
    checks: run.preflight ?? [],
  };
}

describe('ralph run and ralph run --dry-run', () => {
  it('say branch, agent, gates, uncommitted files and submodules', () => {
    const project = makeProject({
      ...settings('[gates]\ncommands = ["true", { name = "lint", run = "sh -c true" }]\n'),
      '.gitmodules': '[submodule "sub"]\n\tpath = vendor/sub\n\turl = ./nowhere\n',
    });
    project.write('mine.txt', 'mine\n');
    const { code, checks } = both(project);
    expect(code).toBe(0);
    expect(checks.map(({ id, status, title }) => `${id} ${status} ${title}`)).toEqual([
      'git.branch ok on main',
      'git.uncommitted info 1 uncommitted file',
      'git.submodules info 1 submodule',
      'agents.chosen ok agent: scripted (as configured)',
      'gates.tool ok gates',
    ]);
    expect(checks.map(({ detail }) => detail).join('\n')).toContain('vendor/sub');
    const { stdout } = project.ralph('run', '--dry-run');
    expect(stdout).toContain('  1 uncommitted file: mine.txt');
    expect(stdout.split('\n').length).toBeLessThan(13);
  });

  it('a detached HEAD is said', () => {
    const project = makeProject(settings('[git]\ncommit = "on_done"\n'));
    project.git('checkout', '-q', '--detach');
    expect(both(project)).toMatchObject({ code: 0, text: expect.stringContaining('HEAD is detached') });
  });

  it.each([
    ['MERGE_HEAD', 'git merge --continue'],
    ['CHERRY_PICK_HEAD', 'git cherry-pick --continue'],
    ['rebase-merge/x', 'git rebase --continue'],
    ['BISECT_LOG', 'git bisect reset'],
  ])('%s: refused, with the command that ends it', (trace, command) => {
    const project = makeProject(WORK);
    project.write(`.git/${trace}`, `${project.git('rev-parse', 'HEAD')}\n`);
    const { code, text } = both(project);
    expect(code).toBe(2);
    expect(text).toContain('is in progress');
    expect(text).toContain(command);
    expect(project.iterations()).toEqual([]);
    rmSync(project.path(`.git/${trace.split('/')[0]}`), { recursive: true });
    expect(both(project).code).toBe(0);
  });

  it('a gate whose tool is missing: refused', () => {
    const project = makeProject(settings('[gates]\ncommands = ["no-such-linter ."]\n'));
    expect(both(project)).toMatchObject({
      code: 2,
      text: expect.stringContaining("no-such-linter isn't installed"),
    });
  });

  it('fewer iterations than tasks: said', () => {
    const list = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n';
    const project = makeProject({ ...WORK, '.ralph/PRD.md': list });
    const dry = project.json('run', '--dry-run', '--max-iterations', '2');
    expect(dry.preflight).toContainEqual(
      expect.objectContaining({ id: 'limits.iterations', title: '3 open tasks' }),
    );
  });

  it.each([
    ['all done', ['run'], 0],
    ['a task that there is not', ['run', '--task', 'T-9'], 2],
  ])('%s: the same exit code', (_name, [, ...args], code) => {
    const project = makeProject(WORK);
    project.ralph('run');
    expect(both(project, ...args).code).toBe(code);
  });

  it('commands that you have not approved: refused', () => {
    const project = makeProject(settings('[gates]\ncommands = ["true"]\n'));
    const trust = process.env.RALPH_TRUST;
    process.env.RALPH_TRUST = '0';
    try {
      const { code, text } = both(project);
      expect(code).toBe(2);
      expect(text).toContain('approved');
    } finally {
      if (trust === undefined) delete process.env.RALPH_TRUST;
      else process.env.RALPH_TRUST = trust;
    }
  });
});
