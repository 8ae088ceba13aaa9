/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { detectBox } from 'ralph-box';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  BIN,
  claim,
  isAlive,
  makeProject,
  type Project,
  processesIn,
  SHELL_CLAIM,
  shellAgent,
} from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const RALPH = `"${process.execPath}" "${BIN}"`;
const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';

/** Returns a project whose agent runs these lines; what they print is in `said.txt`. */
function projectWith(lines: readonly string[], config = '', loop = 'max_iterations = 1'): Project {
  return makeProject({
    'agent.sh': `cat > /dev/null\n{\n:\n${lines.join('\n')}\n} > said.txt 2>&1\necho parser > parser.txt\n${SHELL_CLAIM}`,
    '.ralph/ralph.toml': `${shellAgent(loop)}${config}`,
    '.gitignore': 'said.txt\n',
  });
}

/** Returns lines that print for each command whether it worked. */
const tried = (commands: readonly string[]) =>
  commands.map(
    (command) =>
      `if (${command}) >/dev/null 2>&1; then echo 'yes: ${command}'; else echo 'no: ${command}'; fi`,
  );

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(!isWhole)('in the box', () => {
  it('an agent writes its copy, commits there, and reaches nothing of the repository', () => {
    const outside = join('/tmp', `ralph-box-${randomUUID()}`);
    const may = [
      'touch here',
      'git add here',
      'git commit -qm mine',
      'git branch other',
      // The box has a git folder of its own, so this changes nothing outside.
      'git config a.b c',
      'echo x >> .git/info/exclude',
      'touch .git/hooks/pre-commit',
      `touch ${outside}`,
      'touch "$TMPDIR/x"',
      // The box has a home folder of its own, too.
      'touch ~/x',
    ];
    const mayNot = [
      'touch .ralph/x',
      'echo x >> .ralph/PRD.md',
      'mv .ralph .other',
      'mv .git .git2',
      'for d in "$XDG_STATE_HOME"/ralph/*; do touch "$d/x" || exit; done',
      'cat ~/.ssh/id',
      'cat "$XDG_STATE_HOME"/ralph/*/key',
      'kill -0 "$OUTSIDE"',
    ];
    mkdirSync(join(homedir(), '.ssh'), { recursive: true });
    writeFileSync(join(homedir(), '.ssh', 'id'), 'secret');
    vi.stubEnv('OUTSIDE', String(process.pid));
    const project = projectWith(tried([...may, ...mayNot]));
    const { stdout } = project.ralph('run');
    expect(stdout).toContain('box: on');
    const outcomes = project.readCopy('said.txt').trim().split('\n');
    expect(outcomes).toEqual([...may.map((one) => `yes: ${one}`), ...mayNot.map((one) => `no: ${one}`)]);
    expect(stdout).toMatch(/(\d+) of \1 tasks? done\./);
    expect([outside, join(homedir(), 'x')].filter((path) => existsSync(path))).toEqual([]);
    expect(project.git('log', '--branches', '--format=%s', '--', 'here')).toBe('');
    expect(project.git('branch', '--format=%(refname:short)')).toBe('main');
    expect(project.exists('.git/hooks/pre-commit')).toBe(false);
    expect(project.read('.git/config')).not.toContain('[a]');
  });

  it('a stash of everything is refused before it fails where ralph ticked a list that git tracks; what is offered works', () => {
    const stash =
      "git stash push -q -- ':/' ':(exclude,top).ralph' && git stash pop -q && echo work > two.txt";
    const project = makeProject({
      '.ralph/PRD.md': '## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n',
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n',
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          {
            when: { task: 'T-1' },
            do: [{ action: 'write', path: 'one.txt', content: 'x\n' }, claim('one.txt:1')],
          },
        ],
        otherwise: [
          { action: 'write', path: 'README.md', content: 'edited\n' },
          { action: 'shell', command: 'git stash -q' },
          { action: 'shell', command: stash },
          claim('two.txt:1'),
        ],
      }),
      'README.md': 'hello\n',
    });
    expect(project.json('run').ending).toBe('all_done');
    expect(project.read('README.md')).toBe('edited\n');
    expect(project.read('.ralph/PRD.md').match(/\[x\]/g)).toHaveLength(2);
    expect(project.git('stash', 'list')).toBe('');
    expect(project.iteration(2).facts.review.numbers.blocked).toBe(1);
  });

  it('a gate reads the git folder and writes the copy, and nothing of ralph', () => {
    const project = projectWith([], "[gates]\ncommands = ['touch made && ! touch .ralph/x && git log']\n");
    expect(project.ralph('run').stdout).toContain('✔ touch made');
  });

  it('[box] opens a folder and closes one; the project has to be trusted for that', () => {
    const open = join(homedir(), 'open');
    const secret = join(homedir(), 'secret');
    for (const folder of [open, secret]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(secret, 'a'), 'b');
    const project = projectWith(
      tried([`touch ${open}/x`, `cat ${secret}/a`]),
      '[box]\nwritable = ["~/open"]\nhide = ["~/secret"]\n',
    );
    vi.stubEnv('RALPH_TRUST', '');
    expect(project.ralph('run').stderr).toMatch(/box +\[box.writable\] \["~\/open"\]/);
    vi.stubEnv('RALPH_TRUST', '1');
    project.ralph('run');
    expect(project.readCopy('said.txt')).toBe(`yes: touch ${open}/x\nno: cat ${secret}/a\n`);
  });

  it('a gate may run outside, which is said on each run and needs trust', () => {
    const outside = join(homedir(), 'by-gate');
    const project = projectWith(
      [],
      `[gates]\ncommands = [{ name = "free", run = "touch ${outside}", box = false }]\n`,
    );
    vi.stubEnv('RALPH_TRUST', '');
    expect(project.ralph('run').stderr).toContain('this gate runs outside of the box');
    vi.stubEnv('RALPH_TRUST', '1');
    expect(project.ralph('run').stdout).toContain('box: on; outside of it, as you set: free');
    expect(existsSync(outside)).toBe(true);
  });

  it('what decides for you is refused and recorded, from the agent, a gate and a hook, whatever they shake off', () => {
    const call =
      'env -i RALPH trust; XDG_STATE_HOME=/tmp RALPH feedback add x; setsid RALPH unblock T-1; true'.replaceAll(
        'RALPH',
        RALPH,
      );
    const project = projectWith([call], `[gates]\ncommands = ['${call}']\n[git]\ncommit = "on_done"\n`);
    project.write('.git/hooks/pre-commit', `#!/bin/sh\n${call}\n`, 0o755);
    project.ralph('run');
    expect(project.readCopy('said.txt').match(/decides for you/g)).toHaveLength(3);
    expect(project.readCopy('said.txt')).toContain("started by the agent's attempt 1 of T-1 (iteration 1)");
    const refused = project.events().filter(({ event_type }) => event_type === 'command_refused');
    // The gate also runs for the baseline, so its calls are refused there, too.
    expect(refused).toHaveLength(12);
    expect(refused.some(({ iteration }) => iteration === 1)).toBe(true);
  });

  it('commands that only read work, and say from where they see it', () => {
    const reading = [
      'status',
      'tasks',
      'trust --list',
      'feedback',
      'run --dry-run',
      'explain T-1',
      'doctor -v',
    ];
    const project = projectWith(reading.map((one) => `RALPH_TRUST=1 ${RALPH} ${one}; echo "exit $?"`));
    project.ralph('run');
    const output = project.readCopy('said.txt');
    expect(output.match(/^exit \d+$/gm)).toEqual(reading.map(() => 'exit 0'));
    expect(output).toContain('! Seen from inside of the box');
    expect(output).toMatch(/^Running: r-.*\n {2}#1 T-1 Write the parser$/m);
    expect(output).toContain('box: on: this command runs inside of it');
    expect(output).not.toContain("isn't verified");
  });

  it('a commit hook runs in the box, and adds to the commit that is made outside', () => {
    const project = projectWith([], '[git]\ncommit = "on_done"\n');
    const lines = ['touch .ralph/x', 'touch ~/by-hook'];
    project.write(
      '.git/hooks/pre-commit',
      `#!/bin/sh\n{\n${tried(lines).join('\n')}\n} > hooked.txt\ngit add hooked.txt\n`,
      0o755,
    );
    expect(project.ralph('run').stdout).toContain('committed');
    expect(project.git('show', 'HEAD:hooked.txt').trim().split('\n')).toEqual([
      'no: touch .ralph/x',
      'yes: touch ~/by-hook',
    ]);
    expect(existsSync(join(homedir(), 'by-hook'))).toBe(false);
  });

  it('an agent that is asked to end gets its grace, and a process that hides ends with the box', async () => {
    const project = projectWith([], '', 'max_iterations = 1\ngrace = 20');
    project.write(
      'agent.sh',
      `trap 'echo asked > asked.txt; exit 0' TERM\n(setsid sleep 1000 & echo $! > inner.txt)\n: > ready\nwhile :; do sleep 0.1; done\n`,
    );
    project.commitAll('agent');
    const run = project.start('run');
    await project.appears('ready');
    run.child.kill('SIGTERM');
    const { code } = await run.ended;
    expect(code).toBe(143);
    expect(project.readCopy('asked.txt')).toBe('asked\n');
    expect(processesIn(project)).toEqual([]);
  });

  it('nothing of it survives a ralph that is killed', async () => {
    const project = projectWith([]);
    project.write(
      'agent.sh',
      ': > ready\n(setsid sh -c "while :; do sleep 1; done" &)\nwhile :; do sleep 1; done\n',
    );
    project.commitAll('agent');
    const run = project.start('run');
    await project.appears('ready');
    run.child.kill('SIGKILL');
    await run.ended;
    await eventually(() => expect(processesIn(project)).toEqual([]));
    expect(isAlive(run.child.pid ?? 0)).toBe(false);
  });

  it('nothing starts in a box whose ralph was killed before it was made', async () => {
    const project = projectWith([]);
    project.write('agent.sh', ': > ran\nwhile :; do sleep 1; done\n');
    project.commitAll('agent');
    const folder = temporaryFolder();
    const [waits, go] = [join(folder, 'waits'), join(folder, 'go')];
    const bwrap = spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim();
    const late = `case "$*" in *--json-status-fd*) : > '${waits}'; until [ -e '${go}' ]; do sleep 0.02; done;; esac`;
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${late}\nexec '${bwrap}' "$@"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    const run = project.start('run');
    await eventually(() => expect(existsSync(waits)).toBe(true));
    run.child.kill('SIGKILL');
    await run.ended;
    writeFileSync(go, '');
    await eventually(() => expect(processesIn(project)).toEqual([]));
    expect(existsSync(project.inCopy('ran'))).toBe(false);
  });

  it('a link in the place of what is protected: nothing is started', () => {
    const project = projectWith([]);
    project.git('config', 'x.y', 'z');
    spawnSync('mv', [project.path('.git/hooks'), project.path('.git/elsewhere')]);
    symlinkSync('elsewhere', project.path('.git/hooks'));
    const { code, stderr } = project.ralph('run');
    expect(code).toBe(2);
    expect(stderr).toContain('.git/hooks is a symbolic link');
  });

  it('a second name of what is protected: nothing is started until the command that is offered was run', () => {
    const project = projectWith([]);
    linkSync(project.path('.ralph/PRD.md'), project.path('list.md'));
    const { code, stderr } = project.ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('.ralph/PRD.md has 2 names (hard links)')]);
    const [, command = ''] = /: (cp -p .*)/.exec(stderr) ?? [];
    expect(spawnSync('sh', ['-c', command]).status).toBe(0);
    expect(project.ralph('run').stdout).toMatch(/(\d+) of \1 tasks? done\./);
  });
});

describe('without bubblewrap', () => {
  /** Returns a PATH with what a run needs, but without bubblewrap. */
  function pathWithoutBox(project: Project): string {
    const bin = project.path('.git/bin');
    mkdirSync(bin);
    const found = spawnSync(
      'sh',
      ['-c', 'for p in git sh cat perl mkfifo ls touch; do command -v "$p"; done'],
      { encoding: 'utf8' },
    );
    for (const path of found.stdout.trim().split('\n'))
      symlinkSync(path, join(bin, path.split('/').at(-1) ?? ''));
    return bin;
  }

  it('a run says so in one line and works; with mode = "require" it does not start', () => {
    const project = projectWith([]);
    const outside = join(homedir(), 'bin');
    spawnSync('mv', [pathWithoutBox(project), outside]);
    vi.stubEnv('PATH', outside);
    vi.stubEnv('RALPH_BOX_MODE', 'require');
    const refused = project.ralph('run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('apt install bubblewrap');
    vi.stubEnv('RALPH_BOX_MODE', 'auto');
    const { stdout, code } = project.ralph('run');
    expect(stdout).toContain('  box: off; apt install bubblewrap\n');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/(\d+) of \1 tasks? done\./)]);
  });

  it('needs a yes once, as agents can write wherever you can', () => {
    const project = projectWith([]);
    const outside = join(homedir(), 'bin');
    spawnSync('mv', [pathWithoutBox(project), outside]);
    vi.stubEnv('PATH', outside);
    vi.stubEnv('RALPH_TRUST', '');
    project.ralph('trust', '--revoke');
    const refused = project.ralph('run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('box       [none] agents can write wherever you can');
    expect(project.ralph('trust').code).toBe(0);
    expect(project.ralph('run').stdout).toMatch(/(\d+) of \1 tasks? done\./);
  });

  it('says so where the network is limited, and that it is not in force', () => {
    const project = projectWith([]);
    project.write(
      '.ralph/ralph.toml',
      `${project.read('.ralph/ralph.toml')}[box]\nnetwork = ["a.example"]\n`,
    );
    const outside = join(homedir(), 'bin');
    spawnSync('mv', [pathWithoutBox(project), outside]);
    vi.stubEnv('PATH', outside);
    const output = project.ralph('run').stdout.replace(/\s+/g, ' ');
    expect(output).toContain(
      "box: off; apt install bubblewrap; [box] network isn't in force: it needs the box",
    );
    expect(project.ralph('doctor').stdout).toContain("[box] network isn't in force");
  });

  it('mode = "off" needs none', () => {
    vi.stubEnv('RALPH_BOX_MODE', 'off');
    const project = projectWith(tried(['touch ~/x']));
    expect(project.ralph('run').stdout).toContain('box: off ([box] mode = "off")');
    expect(project.readCopy('said.txt')).toBe('yes: touch ~/x\n');
  });
});
