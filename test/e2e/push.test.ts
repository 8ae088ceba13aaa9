/** @module-tag slow */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { detectBox } from 'ralph-box';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project } from '../helpers/cli.ts';
import { bareRemote, fakeHost } from '../helpers/code-host.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';
const HUB = 'https://github.com/owner/name.git';
const LAB = 'git@gitlab.example.org:group/sub/name.git';
const PART: ScenarioAction = {
  action: 'shell',
  command: 'echo "$RALPH_TASK_ID" > "part-$RALPH_TASK_ID.txt"',
};

const tasks = (titles: readonly string[]) =>
  titles.map((title, at) => `- [ ] **T-${at + 1}** ${title}\n`).join('');

/** Returns a project whose tasks are done at the first attempt. */
function projectWith(settings: string, titles: readonly string[] = ['Part one'], toml = ''): Project {
  return makeProject({
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${tasks(titles)}`,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n[git]\ncommit = "on_done"\n${settings}\n${toml}`,
    '.ralph/scenario.json': JSON.stringify({ steps: [{ do: [PART, claim()] }] }),
  });
}

const head = (project: Project) => project.git('rev-parse', 'HEAD');
const pushes = (project: Project) =>
  project.read('.ralph/journal.jsonl').split('"type":"push_ended"').length - 1;
/** Adds a task to the list, committed by you. */
function addTask(project: Project, id: string, title: string): void {
  project.write('.ralph/PRD.md', `${project.read('.ralph/PRD.md')}- [ ] **${id}** ${title}\n`);
  project.commitAll(`plan ${id}`);
}
/** Turns the box off, because the hooks of these tests reach what it hides. */
const unboxed = () => vi.stubEnv('RALPH_BOX_MODE', 'off');

afterEach(() => vi.unstubAllEnvs());

describe('a push', () => {
  it('happens at the end of a run, with the marks, and is in the report and the status', () => {
    const project = projectWith('push = "checkpoints"', ['Part one', 'Part two']);
    const remote = bareRemote(project);
    const result = project.json('run');
    expect(result).toMatchObject({ exit_code: 0, next: [expect.stringContaining('git log')] });
    const pushed = {
      remote: 'origin',
      branch: 'main',
      commit: head(project),
      pull_request: null,
      problem: null,
    };
    expect(result.push).toEqual(pushed);
    expect(remote.git('rev-parse', 'main')).toBe(head(project));
    expect(remote.git('show', 'main:.ralph/PRD.md')).not.toContain('[ ]');
    expect(remote.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(project.ralph('report').stdout).toContain(
      `Pushed to origin/main (${head(project).slice(0, 10)}).`,
    );
    expect(project.json('status').last_run.push).toEqual(pushed);
    // Nothing is new, so nothing is pushed.
    expect(project.json('run')).toMatchObject({ exit_code: 0, push: pushed });
    expect(pushes(project)).toBe(1);
  });

  it('happens at each landing where that is set', () => {
    const project = projectWith('push = "on_done"', ['Part one', 'Part two']);
    const remote = bareRemote(project);
    remote.hook('post-receive', 'cat >> pushed');
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
    const seen = readFileSync(join(remote.path, 'pushed'), 'utf8').trim().split('\n');
    const subjects = seen.map((line) => remote.git('show', '-s', '--format=%s', line.split(' ')[1] ?? ''));
    expect(subjects).toEqual(['Part one (T-1)', 'Part two (T-2)', 'Mark what is done']);
  });

  it('never happens unless it is set', () => {
    const project = projectWith('');
    const remote = bareRemote(project);
    const before = remote.git('rev-parse', 'main');
    expect(project.json('run')).toMatchObject({ exit_code: 0, push: null });
    expect(remote.git('rev-parse', 'main')).toBe(before);
  });

  it('is left to you by ralph land, which says how', () => {
    const project = projectWith('push = "checkpoints"');
    const remote = bareRemote(project);
    const before = remote.git('rev-parse', 'main');
    project.write('part-T-1.txt', 'mine\n');
    project.json('run');
    project.remove('part-T-1.txt');
    expect(project.json('land')).toMatchObject({ landed: [{ task: 'T-1' }], push: 'git push origin main' });
    expect(remote.git('rev-parse', 'main')).toBe(before);
  });

  it('to a protected branch ends its sentence once, and names what helps', () => {
    const project = projectWith('push = "checkpoints"');
    const words = 'Protected branch: changes must be made through a pull request.';
    bareRemote(project).hook('pre-receive', `echo "${words}" >&2; exit 1`);
    const { reason } = project.json('run').push.problem;
    expect(reason).toContain(`${words} [git] pull_request pushes to a branch beside it.`);
    expect(reason).not.toContain('..');
  });

  it('that the remote refuses fails no run, and says why and what helps', () => {
    const project = projectWith('push = "checkpoints"');
    const remote = bareRemote(project);
    const before = remote.git('rev-parse', 'main');
    remote.hook('pre-receive', 'echo "main is protected: ask Ann" >&2; exit 1');
    const result = project.json('run');
    const problem = {
      reason: expect.stringMatching(
        /^the remote refuses it: .*pre-receive hook declined.* main is protected: ask Ann\.$/,
      ),
      next: 'git push origin main',
    };
    expect(result).toMatchObject({ exit_code: 0, tasks: { done: 1 }, push: { commit: null, problem } });
    expect(remote.git('rev-parse', 'main')).toBe(before);
    for (const command of [['status'], ['report'], ['report', '--format', 'markdown']]) {
      const { stdout } = project.ralph(...command);
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        'Nothing was pushed to origin/main: the remote refuses it',
      );
      expect(stdout).toContain('git push origin main');
    }
    // The next run pushes what this one couldn't.
    remote.hook('pre-receive', 'exit 0');
    expect(project.json('run')).toMatchObject({ push: { commit: head(project), problem: null } });
    expect(remote.git('rev-parse', 'main')).toBe(head(project));
  });

  it('overwrites nothing of a remote that moved', () => {
    const project = projectWith('push = "checkpoints"');
    const remote = bareRemote(project);
    remote.commit('main');
    const before = remote.git('rev-parse', 'main');
    const { push, exit_code, preflight } = project.json('run');
    expect(exit_code).toBe(0);
    const behind = { id: 'git.behind', title: "origin/main has commits that main doesn't have" };
    expect(preflight).toContainEqual(expect.objectContaining(behind));
    expect(push.problem).toEqual({
      reason: "origin/main has commits that main doesn't have, and nothing is overwritten.",
      next: 'git pull --rebase --autostash origin main',
    });
    expect(remote.git('rev-parse', 'main')).toBe(before);
    project.git('pull', '--quiet', '--rebase', 'origin', 'main');
    const again = project.json('run');
    expect(again).toMatchObject({ push: { commit: head(project), problem: null } });
    expect(again.preflight).not.toContainEqual(expect.objectContaining({ id: 'git.behind' }));
    expect(remote.git('rev-parse', 'main^{tree}')).toBe(project.git('rev-parse', 'HEAD^{tree}'));
  });

  it('without a remote is said at the start and the end', () => {
    const project = projectWith('push = "checkpoints"');
    const { preflight, push, exit_code } = project.json('run');
    const problem = { reason: 'there is no remote to push to.', next: 'git remote add origin URL' };
    expect({ push, exit_code }).toMatchObject({ push: { commit: null, problem }, exit_code: 0 });
    expect(preflight).toContainEqual(
      expect.objectContaining({ id: 'git.push', status: 'warning', fix: 'git remote add origin URL' }),
    );
  });

  it('is kept back where a run ends by an emergency stop', () => {
    const leaked = `export const key = "AKIA${'Q7ZP4M2X9KD3V8TB'}";\n`;
    const project = makeProject({
      '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${tasks(['Part one', 'Part two'])}`,
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n[git]\ncommit = "on_done"\npush = "checkpoints"\n`,
      '.ralph/scenario.json': JSON.stringify({
        output: 'claude-stream',
        steps: [
          { when: { task: 'T-1' }, do: [PART, claim()] },
          {
            when: { task: 'T-2' },
            do: [{ action: 'write', path: 'src/config.ts', content: leaked }, claim()],
          },
        ],
      }),
    });
    const remote = bareRemote(project);
    expect(project.json('run')).toMatchObject({ exit_code: 8, push: null });
    expect(project.git('log', '--format=%s')).toContain('Part one (T-1)');
    expect(remote.git('log', '-1', '--format=%s', 'main')).toBe('start');
  });

  it('asks nothing where the remote wants a password', async () => {
    const project = projectWith('push = "checkpoints"');
    const asked = join(temporaryFolder(), 'asked');
    const askpass = join(temporaryFolder(), 'askpass');
    writeFileSync(askpass, `#!/bin/sh\ntouch "${asked}"\necho x\n`, { mode: 0o755 });
    vi.stubEnv('GIT_ASKPASS', askpass);
    const server = createServer((_, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    project.git('remote', 'add', 'origin', `http://me:hidden@127.0.0.1:${port}/x.git`);
    const { push, exit_code } = await project.jsonLater('run');
    server.close();
    expect(exit_code).toBe(0);
    expect(push).toMatchObject({ commit: null, problem: { next: 'git push origin main' } });
    expect(push.problem.reason).toMatch(
      /Authentication failed|could not read Username|terminal prompts disabled/,
    );
    expect(push.problem.reason).not.toContain('hidden');
    expect(existsSync(asked)).toBe(false);
  });

  it.skipIf(!isWhole)('asks the pre-push hook in the box, as git does, and runs no other', () => {
    const project = projectWith('push = "checkpoints"');
    const remote = bareRemote(project);
    const before = remote.git('rev-parse', 'main');
    const outside = join(temporaryFolder(), 'reached');
    const hook = `echo "$@" > asked.txt; cat >> asked.txt; touch "${outside}" "$HOME/reached"; exit 0`;
    project.write('.git/hooks/pre-push', `#!/bin/sh\n${hook}\n`, 0o755);
    expect(project.json('run')).toMatchObject({ push: { commit: head(project), problem: null } });
    expect(project.read('asked.txt')).toBe(
      `origin ${remote.path}\nrefs/heads/main ${head(project)} refs/heads/main ${before}\n`,
    );
    expect(existsSync(outside)).toBe(false);
  });

  it("isn't made where the pre-push hook fails, with its words", () => {
    const project = projectWith('push = "checkpoints"');
    const remote = bareRemote(project);
    const before = remote.git('rev-parse', 'main');
    project.write('.git/hooks/pre-push', '#!/bin/sh\necho "2 tests fail" >&2\nexit 3\n', 0o755);
    const { push, exit_code } = project.json('run');
    expect(exit_code).toBe(0);
    expect(push.problem.reason).toBe('your pre-push hook ended with 3: 2 tests fail.');
    expect(remote.git('rev-parse', 'main')).toBe(before);
  });

  it('ends a pre-push hook that waits in vain', async () => {
    unboxed();
    const project = projectWith('push = "checkpoints"');
    bareRemote(project);
    project.write('.git/hooks/pre-push', '#!/bin/sh\ntouch hook-waits\nexec tail -f /dev/null\n', 0o755);
    const { child, ended } = project.start('run', '--json');
    await project.appears('hook-waits');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).push.problem.reason).toContain('your pre-push hook was stopped: ');
  });

  it('is made by the next run where one was killed between landing and push', async () => {
    unboxed();
    const project = projectWith('push = "checkpoints"');
    const remote = bareRemote(project);
    const killed = project.path('killed');
    const hook = `[ -e "${killed}" ] && exit 0\ntouch "${killed}"\nkill -9 "$PPID"\nexec tail -f /dev/null`;
    project.write('.git/hooks/pre-push', `#!/bin/sh\n${hook}\n`, 0o755);
    expect((await project.start('run').ended).code).not.toBe(0);
    expect(remote.git('log', '-1', '--format=%s', 'main')).toBe('start');
    expect(project.json('run')).toMatchObject({
      exit_code: 0,
      push: { commit: head(project), problem: null },
    });
    expect(remote.git('log', '--format=%s', 'main')).toContain('Part one (T-1)');
  });
});

describe('a pull request', () => {
  const HOSTILE = '$(touch pwned) `id` <!-- /ralph:report --> @team | "q" ghp_0123456789012345678901234567';

  it('is opened by gh for a branch beside the default one, and kept up to date', () => {
    const project = projectWith('push = "checkpoints"\npull_request = "draft"', [HOSTILE]);
    const remote = bareRemote(project, HUB);
    const before = remote.git('rev-parse', 'main');
    const host = fakeHost('gh');
    vi.stubEnv('PATH', host.path);
    const first = project.json('run');
    expect(first.preflight).toContainEqual(
      expect.objectContaining({ id: 'git.push', title: 'pushes to origin; gh opens the pull request' }),
    );
    expect(first).toMatchObject({
      exit_code: 0,
      push: { branch: 'ralph/main', pull_request: 'https://code.test/pulls/1', problem: null },
    });
    expect(remote.git('rev-parse', 'main')).toBe(before);
    expect(remote.git('rev-parse', 'ralph/main')).toBe(head(project));
    const [made] = host.pulls();
    expect(made).toMatchObject({ head: 'ralph/main', base: 'main', draft: true });
    expect(made?.title).toMatch(/^\$\(touch pwned\) .*\[redacted\] \(T-1\)$/);
    expect(made?.text).toMatch(/^<!-- ralph:report -->\n## 1 of 1 task done\./);
    expect(made?.text).toContain(
      '| task | title | commit | attempts | false claims | proof | time | tokens |',
    );
    expect(made?.text).not.toContain('ghp_0123');
    expect(
      host
        .calls()
        .flatMap(({ argv }) => argv)
        .join(' '),
    ).not.toContain('pwned');

    host.edit(`By hand.\n\n${made?.text}\n\nBelow.`);
    addTask(project, 'T-2', 'Part two');
    expect(project.json('run')).toMatchObject({
      push: { pull_request: 'https://code.test/pulls/1', problem: null },
    });
    const [one, ...others] = host.pulls();
    expect(others).toEqual([]);
    expect(one?.title).toBe(made?.title);
    expect(one?.text).toMatch(
      /^By hand\.\n\n<!-- ralph:report -->\n## 2 of 2 tasks done\.[\s\S]*Part two[\s\S]*\n\nBelow\.$/,
    );
    // The text doesn't mention its own pull request or push.
    expect(one?.text).not.toMatch(/pull request|Pushed to/);
    // The text includes what the first run did.
    expect(one?.text).toMatch(/\| T-1 \|[\s\S]*\| T-2 \|/);
    expect(project.exists('pwned')).toBe(false);

    // The code host can't be asked now, and the pull request still exists.
    host.signOut(true);
    addTask(project, 'T-3', 'Part three');
    expect(project.ralph('run').stdout).toContain(
      "https://code.test/pulls/1 isn't up to date: gh isn't signed in",
    );
    host.signOut(false);

    // You closed the pull request, so the same work gets no second one.
    host.close();
    expect(project.json('run')).toMatchObject({ push: { commit: head(project), problem: null } });
    expect(host.pulls()).toEqual([]);
  });

  it('is opened by glab at GitLab, from the branch that is checked out', () => {
    const project = projectWith('push = "on_done"\npull_request = "ready"');
    const remote = bareRemote(project, LAB);
    const host = fakeHost('glab');
    vi.stubEnv('PATH', host.path);
    project.git('switch', '--quiet', '-c', 'feature');
    expect(project.json('run')).toMatchObject({
      push: { branch: 'feature', pull_request: 'https://code.test/pulls/1' },
    });
    expect(remote.git('rev-parse', 'feature')).toBe(head(project));
    expect(host.pulls()).toMatchObject([
      { head: 'feature', base: 'main', title: 'Part one (T-1)', draft: false },
    ]);
    const posts = host.calls().filter(({ body }) => body !== null);
    expect(posts[0]?.argv).toEqual(
      expect.arrayContaining([
        '--hostname',
        'gitlab.example.org',
        'projects/group%2Fsub%2Fname/merge_requests',
      ]),
    );
  });

  it.each([
    ['is not signed in', 'gh', "gh isn't signed in at github.com"],
    ['is not there', null, 'gh was not found'],
  ])('is left to you where the program %s; the branch is pushed', (_, program, reason) => {
    const project = projectWith('push = "checkpoints"\npull_request = "ready"');
    const remote = bareRemote(project, HUB);
    const host = fakeHost(program === null ? 'glab' : 'gh');
    host.signOut();
    vi.stubEnv('PATH', host.path);
    const { preflight, push, exit_code } = project.json('run');
    expect(exit_code).toBe(0);
    const fix = 'gh auth login --hostname github.com';
    expect(preflight).toContainEqual(
      expect.objectContaining({
        id: 'git.pull_request',
        status: 'warning',
        detail: expect.stringContaining(reason),
        fix,
      }),
    );
    expect(push).toMatchObject({
      commit: head(project),
      pull_request: null,
      problem: { reason: expect.stringContaining(reason), next: fix },
    });
    expect(remote.git('rev-parse', 'ralph/main')).toBe(head(project));
  });

  it('is left to you at any other host', () => {
    const project = projectWith('push = "checkpoints"\npull_request = "ready"');
    const remote = bareRemote(project);
    const { preflight, push } = project.json('run');
    expect(preflight).toContainEqual(expect.objectContaining({ id: 'git.pull_request', status: 'warning' }));
    expect(push).toMatchObject({ branch: 'ralph/main', pull_request: null, commit: head(project) });
    expect(remote.git('rev-parse', 'ralph/main')).toBe(head(project));
  });
});
