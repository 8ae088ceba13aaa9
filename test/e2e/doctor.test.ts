/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { always, BIN, claim, makeProject } from '../helpers/cli.ts';
import { makeRepository, repositoryAt, temporaryFolder } from '../helpers/repository.ts';

type Finding = { id: string; status: string; title: string; detail: string; fix: string | null };

function run(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const done = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...process.env, RALPH_TRUST: '1', ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

/** Returns the output of `ralph doctor --json`, after checking what holds for every such document. */
function doctor(cwd: string, env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = run(cwd, ['doctor', '--json'], env);
  expect(stderr).toBe('');
  const document = JSON.parse(stdout);
  const findings: Finding[] = document.findings;
  expect(document).toMatchObject({ schema_version: 'ralph.cli.v1', cmd: 'doctor', exit_code: code });
  expect(code).toBe(findings.some(({ status }) => status === 'error') ? 2 : 0);
  expect(findings.filter(({ status, fix }) => status !== 'ok' && !fix)).toEqual([]);
  return { code, findings, of: (id: string) => findings.find((one) => one.id === id) };
}

/** Returns a hash of names, modes and contents of everything below a folder. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  const walk = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name);
      const stat = lstatSync(path);
      hash.update(`${path} ${stat.mode} ${stat.size} ${stat.mtimeMs}\n`);
      if (stat.isDirectory()) walk(path);
      else if (stat.isFile()) hash.update(readFileSync(path));
    }
  };
  walk(folder);
  return hash.digest('hex');
}

/** Returns a folder for PATH with these programs of the machine and these scripts. */
function pathWith(programs: readonly string[], scripts: Readonly<Record<string, string>> = {}): string {
  const bin = repositoryAt(temporaryFolder());
  for (const name of programs) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(found, bin.path(name));
  }
  for (const [name, text] of Object.entries(scripts)) bin.write(name, `#!/bin/sh\n${text}\n`, 0o755);
  return bin.root;
}

const WITH_SCENARIO = {
  '.ralph/scenario.json': always({ action: 'write', path: 'a.txt', content: 'a\n' }, claim('a.txt')),
};

describe('ralph doctor', () => {
  it('finds nothing wrong in a project that runs, before and after its run, and writes nothing', () => {
    const project = makeProject(WITH_SCENARIO);
    const state = temporaryFolder();
    const env = { XDG_STATE_HOME: state };
    const before = fingerprint(project.root);
    expect(
      doctor(project.root, env).findings.filter(({ status }) => status === 'error' || status === 'warning'),
    ).toEqual([]);
    expect(fingerprint(project.root)).toBe(before);
    expect(readdirSync(state)).toEqual([]);

    expect(project.ralph('run').code).toBe(0);
    const after = fingerprint(project.root);
    const { code, of } = doctor(project.root);
    expect(code).toBe(0);
    expect(of('state.journal')).toMatchObject({ status: 'ok', title: 'the journal is whole' });
    expect(of('git.checkpoints')?.title).toMatch(/^[1-9]/);
    expect(of('tasks.read')?.detail).toContain('1 done');
    expect(fingerprint(project.root)).toBe(after);
  });

  it('prints groups as text, each fix on a line of its own', () => {
    const { root } = makeProject({
      ...WITH_SCENARIO,
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[gates]\ncommands = ["no-such-tool x"]\n',
    });
    expect(run(root, ['doctor', '-v']).stdout).toMatch(/^Repository\n {2}✔ git version/);
    const { code, stdout } = run(root, ['doctor']);
    expect(code).toBe(2);
    expect(stdout).not.toContain('✔');
    expect(stdout).toMatch(/\d+ checks passed: ralph doctor -v$/m);
    expect(stdout).toMatch(
      /Gates\n {2}✖ no-such-tool x: no-such-tool isn't installed[\s\S]*?\n {4}→ Install no-such-tool/,
    );
    expect(stdout).toContain('1 error. Fix it before `ralph run`.');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('outside of a repository', () => {
    const { code, of } = doctor(temporaryFolder());
    expect(code).toBe(2);
    expect(of('git.repository')).toMatchObject({ status: 'error', fix: 'git init' });
  });

  it('without git on PATH it still checks the rest', () => {
    const project = makeProject(WITH_SCENARIO);
    const { code, of } = doctor(project.root, { PATH: pathWith(['sh']) });
    expect(code).toBe(2);
    expect(of('git.found')?.status).toBe('error');
    expect(of('tasks.read')?.status).toBe('ok');
  });

  it('with mistakes in the configuration, each with its line', () => {
    const { root } = makeProject({ '.ralph/ralph.toml': '[loop]\nagnet = "x"\nmax_iterations = "many"\n' });
    const problems = doctor(root).findings.filter(({ id }) => id === 'config.problem');
    expect(problems.map(({ title }) => title)).toEqual(['.ralph/ralph.toml:2', '.ralph/ralph.toml:3']);
    expect(problems[0]?.detail).toContain('did you mean "agent"?');
    expect(run(root, ['doctor', '--config']).code).toBe(2);
  });

  it('with garbage in .ralph, which it leaves as it is', () => {
    const project = makeProject(WITH_SCENARIO);
    project.ralph('run');
    for (const name of ['journal.jsonl', 'state.json', 'interventions/events.json', 'run.lock', 'state.lock'])
      project.write(`.ralph/${name}`, Buffer.from([0, 1, 2, 0xff, 10, 123]));
    project.write('.ralph/state.json.edited-20260101T000000Z', 'x');
    const before = fingerprint(project.root);
    const { code, of } = doctor(project.root);
    expect(code).toBe(0);
    expect(of('state.journal')).toMatchObject({ status: 'warning', title: 'the journal is damaged' });
    expect(of('state.damaged')?.detail).toContain('state.json');
    expect(of('state.lock.run')?.title).toContain('damaged');
    expect(of('state.set_aside')?.detail).toContain('state.json.edited');
    expect(fingerprint(project.root)).toBe(before);
  });

  it('with folders and links in the place of its files', () => {
    const project = makeProject(WITH_SCENARIO);
    mkdirSync(project.path('.ralph/journal.jsonl'));
    mkdirSync(project.path('.ralph/run.lock'));
    symlinkSync('/dev/zero', project.path('.ralph/state.json'));
    expect(doctor(project.root).of('state.journal')?.detail).toBe('it is a folder');
  });

  it('with a file in the place of .ralph', () => {
    const repository = makeRepository({ '.ralph': 'hello', 'PRD.md': '- [ ] One\n' });
    expect(doctor(repository.root).of('state.folder')).toMatchObject({
      status: 'error',
      title: ".ralph isn't a folder",
    });
  });

  it('with a locked store, at once', () => {
    const project = makeProject(WITH_SCENARIO);
    const holder = {
      pid: process.pid,
      startTime: null,
      host: hostname(),
      token: 'x',
      run: 'r-1',
    };
    project.write('.ralph/state.lock', `${JSON.stringify(holder)}\n`);
    project.write('.ralph/run.lock', `${JSON.stringify({ ...holder, pid: 2 ** 22 + 1 })}\n`);
    const { code, of } = doctor(project.root);
    expect(code).toBe(0);
    expect(of('state.lock.state')?.title).toBe('state.lock is held');
    expect(of('state.lock.run')?.title).toBe('run.lock was left behind');
  });

  it('with the lock of another machine', () => {
    const project = makeProject(WITH_SCENARIO);
    project.write(
      '.ralph/run.lock',
      JSON.stringify({ pid: 1, startTime: null, host: 'elsewhere', token: 'x', run: 'r' }),
    );
    expect(doctor(project.root).of('state.lock.run')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('rm .ralph/run.lock'),
    });
  });

  it('names an attempt that was cut off', async () => {
    const hangs = always({ action: 'write', path: 'begun', content: '' }, { action: 'hang' });
    const project = makeProject({ ...WITH_SCENARIO, '.ralph/scenario.json': hangs });
    const { child, ended } = project.start('run');
    await project.appears('begun');
    child.kill('SIGKILL');
    await ended;
    expect(doctor(project.root).of('state.interrupted')?.detail).toContain('iteration 1 of T-1');
  });

  it("reports a repository whose commands you haven't accepted", () => {
    const { root } = makeProject(WITH_SCENARIO);
    expect(doctor(root, { RALPH_TRUST: '' }).of('trust.state')).toMatchObject({
      status: 'error',
      fix: 'ralph trust',
    });
  });

  it('reports a merge, a lock of the index, tracked records, no first commit and a detached HEAD', () => {
    const project = makeProject({ ...WITH_SCENARIO, '.ralph/state.json': '{}' });
    project.write('.git/MERGE_HEAD', `${project.git('rev-parse', 'HEAD')}\n`);
    project.write('.git/index.lock', '');
    project.git('update-ref', '--no-deref', 'HEAD', 'HEAD');
    project.write('.git/HEAD', `${project.git('rev-parse', 'HEAD')}\n`);
    const { of } = doctor(project.root);
    expect(of('git.in_progress')?.title).toBe('a merge is in progress');
    expect(of('git.lock')?.status).toBe('warning');
    expect(of('git.tracked')?.fix).toBe('git rm -r --cached .ralph/state.json');
    expect(of('git.branch')?.title).toBe('HEAD is detached');
    expect(doctor(makeRepository(null).root).of('git.first_commit')).toMatchObject({
      status: 'info',
      detail: expect.stringContaining('ralph run offers to make the first one'),
    });
  });

  it('reports a repository that cannot be written', () => {
    const project = makeProject(WITH_SCENARIO);
    chmodSync(project.path('.ralph'), 0o555);
    try {
      // A superuser may write everywhere, so there is nothing to report.
      expect(doctor(project.root).of('state.folder')?.status).toBe(process.getuid?.() === 0 ? 'ok' : 'error');
    } finally {
      chmodSync(project.path('.ralph'), 0o755);
    }
  });
});

describe('agents', () => {
  const scripts = {
    claude: 'echo "2.1.0 (Claude Code)"',
    codex: 'exec sleep 60',
    gemini: 'echo oops >&2; exit 3',
  };
  const project = () => makeProject({ '.ralph/ralph.toml': '', ...WITH_SCENARIO });

  it('that are installed are asked for their version, and a silent one holds nothing up for long', () => {
    const env = {
      PATH: pathWith(['git', 'sh', 'sleep'], scripts),
      ANTHROPIC_API_KEY: 'sk-ant-aaaaaaaaaaaaaaaaaaaaaaaa',
    };
    const { root } = project();
    const { of } = doctor(root, env);
    expect(of('agents.chosen')?.title).toBe('agent: claude (the first installed)');
    expect(of('agents.claude')).toMatchObject({
      status: 'ok',
      detail: '2.1.0 (Claude Code); login: ANTHROPIC_API_KEY',
    });
    expect(of('agents.codex')?.detail).toContain('did not report its version');
    expect(of('agents.absent')?.detail).toBe('copilot, opencode, qwen, pi, droid');
    const text = JSON.stringify(run(root, ['doctor', '--json'], env));
    expect(text).not.toContain('sk-ant');
  });

  it('--agents says what ralph can do with each', () => {
    const { root } = project();
    const env = { PATH: pathWith(['git', 'sh'], { claude: 'echo 2.1.0' }) };
    const { code, stdout } = run(root, ['doctor', '--agents'], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/claude +channel +yes +yes +yes +live +end +2\.1\.0/);
    const { agents } = JSON.parse(run(root, ['doctor', '--agents', '--json'], env).stdout);
    expect(agents).toHaveLength(8);
    expect(agents[0]).toMatchObject({
      name: 'claude',
      version: '2.1.0',
      ...{ review: 'control channel', can_modify: true, resume: true, tokens: 'live', cost: 'end' },
    });
  });

  it.skipIf(process.getuid?.() !== 0)('claude as root is refused before an attempt is spent on it', () => {
    const { root, exists } = makeProject({
      '.ralph/ralph.toml': '[loop]\nagent = "claude"\n[box]\nmode = "off"\n',
    });
    const env = { PATH: pathWith(['git', 'sh'], { claude: 'touch was-run' }), IS_SANDBOX: '' };
    const refused = run(root, ['run'], env);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('IS_SANDBOX=1 ralph run');
    expect(exists('was-run')).toBe(false);
    expect(doctor(root, env).of('agents.root.claude')?.status).toBe('error');
    expect(doctor(root, { ...env, IS_SANDBOX: '1' }).of('agents.root.claude')).toBeUndefined();
  });

  it('no program of the repository is started', () => {
    const { root, exists } = makeProject({
      ...WITH_SCENARIO,
      '.ralph/ralph.toml':
        '[loop]\nagent = "claude"\n[runners.claude]\nargv = ["./claude"]\n[gates]\ncommands = ["./check"]\n',
      claude: '#!/bin/sh\ntouch was-run\n',
      check: '#!/bin/sh\ntouch was-run\n',
    });
    chmodSync(join(root, 'claude'), 0o755);
    chmodSync(join(root, 'check'), 0o755);
    expect(doctor(root, { RALPH_TRUST: '' }).of('agents.runner.claude')?.status).toBe('warning');
    expect(exists('was-run')).toBe(false);
  });
});

describe('ralph doctor --config', () => {
  it('shows each value with where it came from, secrets hidden', () => {
    const token = 'supersecretvalue123';
    const { root } = makeProject({
      '.ralph/ralph.toml': `[loop]\nmode = "quality"\n[runners.x]\nargv = ["x"]\nenv = { MY_TOKEN = "${token}" }\n`,
    });
    const { stdout } = run(root, ['doctor', '--config', '--json'], { RALPH_LOOP_MAX_ITERATIONS: '7' });
    const { values } = JSON.parse(stdout);
    const of = (key: string) => values.find((one: { key: string }) => one.key === key);
    expect(of('loop.mode')).toMatchObject({
      value: 'quality',
      layer: 'project',
      source: '.ralph/ralph.toml',
      line: 2,
    });
    expect(of('loop.max_iterations')).toMatchObject({
      value: 7,
      layer: 'environment',
      source: 'RALPH_LOOP_MAX_ITERATIONS',
    });
    expect(of('loop.resume')).toMatchObject({ value: false, layer: 'built-in' });
    expect(of('runners.x.env.MY_TOKEN').value).toBe('[redacted]');
    const text = run(root, ['doctor', '--config']).stdout;
    expect(text).toMatch(/loop\.mode +\.ralph\/ralph\.toml:2 +"quality"/);
    expect(stdout + text).not.toContain(token);
  });
});
