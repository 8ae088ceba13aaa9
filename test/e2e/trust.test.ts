/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BIN, ONE_TASK } from '../helpers/cli.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../helpers/repository.ts';

const AGENT = '[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n';
const FILES = {
  'agent.sh': 'echo ran > ran.txt\nprintf "STATUS: DONE\\nEXIT_SIGNAL: true\\n"\n',
  '.ralph/PRD.md': ONE_TASK,
  '.ralph/ralph.toml': `${AGENT}[gates]\ncommands = ["true"]\n`,
};

let repository: TestRepository;
let state: string;

beforeEach(() => {
  repository = makeRepository(FILES);
  state = temporaryFolder();
});

/** Runs the command line without the trust that other tests get by environment. */
function ralph(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { RALPH_TRUST: _, ...rest } = process.env;
  const run = spawnSync(process.execPath, [BIN, ...args], {
    cwd: repository.root,
    env: { ...rest, XDG_STATE_HOME: state, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function trustFile(): string {
  const [id = ''] = readdirSync(join(state, 'ralph'));
  return join(state, 'ralph', id, 'trust.json');
}

describe("a repository whose commands you haven't accepted", () => {
  it.each(['run', 'step'])('%s says what would run, and runs nothing', (command) => {
    const { code, stderr } = ralph([command]);
    expect(code).toBe(2);
    expect(stderr).toContain('[runners.mine.argv] sh ./agent.sh -');
    expect(stderr).toContain('gate      true');
    expect(stderr).toContain('ralph trust');
    expect(repository.exists('ran.txt')).toBe(false);
    expect(repository.exists('.ralph/runs')).toBe(false);
  });

  it('is told in JSON too', () => {
    const { code, stdout } = ralph(['--format', 'json', 'run']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toContain("you haven't approved");
  });

  it('is what a dry run says, too', () => {
    expect(ralph(['run', '--dry-run'])).toEqual(ralph(['run']));
  });

  it.each([['status'], ['tasks'], ['prompt']])('%s needs no trust', (...args) => {
    expect(ralph(args).code).toBe(0);
  });

  it('runs with RALPH_TRUST=1, and asks again without', () => {
    expect(ralph(['run'], { RALPH_TRUST: '1' }).code).toBe(0);
    expect(repository.exists('ran.txt')).toBe(true);
    expect(ralph(['run']).code).toBe(2);
  });

  it.each(['0', ''])('RALPH_TRUST=%j accepts nothing', (value) => {
    expect(ralph(['run'], { RALPH_TRUST: value }).code).toBe(2);
  });

  it('runs with --trust, which is remembered outside of the repository for the user alone', () => {
    expect(ralph(['run', '--trust']).code).toBe(0);
    expect(ralph(['run']).code).toBe(0);
    expect(statSync(trustFile()).mode & 0o777).toBe(0o600);
    expect(statSync(join(trustFile(), '..')).mode & 0o777).toBe(0o700);
    expect(repository.git('status', '--porcelain')).not.toContain('trust');
  });

  it('a damaged record accepts nothing and is written anew', () => {
    ralph(['trust']);
    const accepted = readFileSync(trustFile(), 'utf8');
    spawnSync('sh', ['-c', 'echo garbage > "$0"', trustFile()]);
    expect(ralph(['run']).code).toBe(2);
    ralph(['trust']);
    expect(readFileSync(trustFile(), 'utf8').length).toBe(accepted.length);
  });
});

describe('trust.json that is edited', () => {
  it('accepts nothing, which is named until you accept it again', () => {
    ralph(['trust']);
    const document = JSON.parse(readFileSync(trustFile(), 'utf8'));
    document.accepted[0].at = '2020-01-01T00:00:00.000Z';
    writeFileSync(trustFile(), JSON.stringify(document));
    const { code, stderr } = ralph(['run']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('kept in trust.json, and entries in it aren'),
    ]);
    expect(stderr).toContain('Next: ralph trust');
    ralph(['trust']);
    expect(ralph(['trust', '--list']).stdout).not.toContain('trust.json');
    expect(ralph(['run']).code).toBe(0);
  });
});

describe('ralph trust', () => {
  it('shows what runs and accepts it once; --list and --revoke', () => {
    const listed = ralph(['trust', '--list']);
    expect(listed.stdout).toContain('Not accepted.');
    const { code, stdout } = ralph(['trust']);
    expect(code).toBe(0);
    expect(stdout).toContain('sh ./agent.sh -');
    expect(stdout).toContain('Accepted.');
    expect(ralph(['trust', '--list']).stdout).toContain('(as it is now)');
    expect(ralph(['run']).code).toBe(0);
    expect(ralph(['trust', '--revoke']).code).toBe(0);
    expect(ralph(['run']).code).toBe(2);
  });

  const accepted = (change: () => void) => {
    ralph(['trust']);
    change();
    return JSON.parse(ralph(['--format', 'json', 'trust', '--list']).stdout).state;
  };

  it.each<[what: string, change: () => void]>([
    [
      'a gate',
      () => repository.write('.ralph/ralph.toml', `${AGENT}[gates]\ncommands = ["true", "rm -rf x"]\n`),
    ],
    ['an argument', () => repository.write('.ralph/ralph.toml', `${AGENT}extra_args = ["--danger"]\n`)],
    ['the environment', () => repository.write('.ralph/ralph.toml', `${AGENT}env = { PATH = "." }\n`)],
    ['a prompt template', () => repository.write('.ralph/PROMPT_build.md', 'Do {{task}}\n')],
    [
      'a prompt of a role, where the workflow has it',
      () => {
        repository.write('.ralph/ralph.toml', `${AGENT}[workflow]\nkind = "standard"\n`);
        ralph(['trust']);
        repository.write('.ralph/PROMPT_guardian.md', 'Approve {{diff}}\n');
      },
    ],
    [
      'a prompt of a role that the project names elsewhere',
      () => {
        const role = '[workflow]\nkind = "standard"\n[workflow.roles.sage]\ntemplate = "docs/sage.md"\n';
        repository.write('.ralph/ralph.toml', `${AGENT}${role}`);
        ralph(['trust']);
        repository.write('docs/sage.md', 'Approve {{diff}}\n');
      },
    ],
    ['a scenario', () => repository.write('.ralph/scenario.json', '{}')],
  ])('%s that changes has to be accepted again', (_what, change) => {
    expect(accepted(change)).toBe('untrusted');
  });

  it.each<[what: string, text: string]>([
    [
      'another order',
      '[gates]\ncommands = ["true"]\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n[loop]\nagent = "mine"\n',
    ],
    [
      'settings that run nothing',
      `${FILES['.ralph/ralph.toml']}timeout = 30\n[loop.modes.speed]\nmax_iterations = 3\n`,
    ],
    ['comments', `# hello\n${FILES['.ralph/ralph.toml']}`],
  ])('%s asks nothing', (_what, text) => {
    expect(accepted(() => repository.write('.ralph/ralph.toml', text))).toBe('trusted');
  });

  it('going back to what was accepted before asks nothing', () => {
    ralph(['trust']);
    repository.write('.ralph/ralph.toml', `${AGENT}[gates]\ncommands = ["false"]\n`);
    ralph(['trust']);
    repository.write('.ralph/ralph.toml', FILES['.ralph/ralph.toml']);
    expect(ralph(['run']).code).toBe(0);
  });

  it('a linked worktree shares what was accepted', () => {
    ralph(['trust']);
    const other = join(temporaryFolder(), 'tree');
    repository.git('worktree', 'add', '-q', other);
    expect(JSON.parse(ralph(['--cwd', other, '--format', 'json', 'trust', '--list']).stdout).state).toBe(
      'trusted',
    );
  });

  it('shows exactly what runs: secrets, terminal controls as escapes, and all of a long command', () => {
    const key = `sk-ant-${'a'.repeat(30)}`;
    const long = `true ${' '.repeat(200)}; echo hidden`;
    repository.write('.ralph/ralph.toml', `[gates]\ncommands = ["echo \\u001b[2J ${key}", "${long}"]\n`);
    const { stdout } = ralph(['trust', '--list']);
    expect(stdout).toContain(`"echo \\u001b[2J ${key}"`);
    expect(stdout).not.toContain('\u001b');
    expect(stdout.replaceAll(/\n {12}/g, '')).toContain(long);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});

describe('what needs no trust', () => {
  it('a repository that names no command', () => {
    repository.write('.ralph/ralph.toml', '[loop]\nmode = "quality"\n');
    expect(JSON.parse(ralph(['--format', 'json', 'trust']).stdout).state).toBe('nothing_runs');
  });

  it("commands of the user's own file", () => {
    const config = temporaryFolder();
    const own = repository.read('.ralph/ralph.toml');
    repository.remove('.ralph/ralph.toml');
    spawnSync('sh', ['-c', 'mkdir -p "$0/ralph" && printf %s "$1" > "$0/ralph/config.toml"', config, own]);
    expect(ralph(['run'], { XDG_CONFIG_HOME: config }).code).toBe(0);
  });

  it('what init has just written', () => {
    repository = makeRepository({ 'package.json': '{"scripts":{"test":"true"}}' });
    expect(ralph(['init']).code).toBe(0);
    expect(JSON.parse(ralph(['--format', 'json', 'trust', '--list']).stdout)).toMatchObject({
      state: 'trusted',
      items: [{ kind: 'gate', name: 'test', text: 'npm test' }],
    });
  });

  it('but init accepts nothing that lay there before', () => {
    expect(ralph(['init']).code).toBe(0);
    expect(JSON.parse(ralph(['--format', 'json', 'trust', '--list']).stdout).state).toBe('untrusted');
  });

  it('the demo', () => {
    expect(ralph(['-q', 'demo']).code).toBe(0);
  });
});

describe('what lies outside of the repository', () => {
  let outside: string;
  beforeEach(() => {
    outside = temporaryFolder();
    writeFileSync(join(outside, 'notes.md'), 'Notes from elsewhere.\n');
    writeFileSync(join(outside, 'PRD.md'), ONE_TASK);
  });

  it.each([
    ['notes by an absolute path', 'notes', () => configured(`[files]\nnotes = ["${outside}/notes.md"]`)],
    [
      'notes that are a link',
      'notes',
      () => symlinkSync(join(outside, 'notes.md'), repository.path('AGENTS.md')),
    ],
    [
      'a task list that the project names',
      'tracker',
      () => configured(`[tracker]\npath = "${outside}/PRD.md"`),
    ],
    [
      'a task list that is a link',
      'tracker',
      () => {
        repository.remove('.ralph/PRD.md');
        symlinkSync(join(outside, 'PRD.md'), repository.path('.ralph/PRD.md'));
      },
    ],
    [
      'a template that is a link',
      'template',
      () => symlinkSync(join(outside, 'notes.md'), repository.path('.ralph/PROMPT_build.md')),
    ],
  ])('%s is accepted by where it leads', (_name, kind, make) => {
    ralph(['trust']);
    make();
    const { code, stderr } = ralph(['run']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^  ${kind} +\\S+ → ${outside}/\\w+\\.md`, 'm'));
    expect(repository.exists('ran.txt')).toBe(false);
    ralph(['trust']);
    expect(JSON.parse(ralph(['--format', 'json', 'trust', '--list']).stdout).state).toBe('trusted');
  });

  it('is yours where your own settings name it', () => {
    ralph(['trust']);
    const home = temporaryFolder();
    mkdirSync(join(home, 'ralph'));
    writeFileSync(join(home, 'ralph/ralph.toml'), `[files]\nnotes = ["${outside}/notes.md"]\n`);
    expect(ralph(['run'], { XDG_CONFIG_HOME: home }).stderr).not.toContain('approved');
  });
});

describe('an attribute of a task that loosens something', () => {
  const LOOSE =
    '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n  - Timeout: 5h\n  - Owner: Ann\n  - Removal approved by: Ann\n';

  it('has no effect until it is accepted, each for itself', () => {
    ralph(['trust']);
    repository.write('.ralph/PRD.md', LOOSE);
    const limit = () => JSON.parse(ralph(['--format', 'json', 'tasks']).stdout).tasks[0].timeout_seconds;
    expect(limit()).toBe(3600);
    expect(ralph(['status']).stderr).toContain(
      'T-1: "Timeout: 18000 s" has no effect until you accept it: ralph trust',
    );
    const { stdout } = ralph(['run', '--max-iterations', '1']);
    expect(stdout).toContain('T-1: "Owner: Ann" has no effect');
    repository.write('.ralph/PRD.md', LOOSE);
    const shown = ralph(['trust']).stdout;
    expect(shown).toContain('  task      T-1: Timeout: 18000 s');
    expect(limit()).toBe(18_000);
    repository.write('.ralph/PRD.md', LOOSE.replace('5h', '6h'));
    expect(limit()).toBe(3600);
    ralph(['trust', '--revoke']);
    expect(ralph(['status']).stderr).toContain('"Owner: Ann" has no effect');
  });
});

/** Writes the project's settings with these lines added. */
function configured(more: string): void {
  repository.write('.ralph/ralph.toml', `${FILES['.ralph/ralph.toml']}${more}\n`);
}
