/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOUNDS, HEAD, KEEPS, RIGHT } from '../helpers/clamp-project.ts';
import { BIN, makeProject, type Project, projectAt, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';

const WRONG = 'export const clamp = (x) => x;\n';
const FILE = '.claude/settings.json';

function repository(files: Readonly<Record<string, string>> = {}): Project {
  return projectAt(
    makeRepository({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/clamp.js': RIGHT,
      'test/clamp.test.js': HEAD + KEEPS + BOUNDS,
      ...files,
    }).root,
  );
}

describe('the settings of an agent', () => {
  it.each([
    ['{ }', 0o600],
    ['{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}', 0o644],
    ['{\r\n\t"hooks": {},\r\n\t"model": "x"\r\n}', 0o640],
  ])('come back byte for byte, mode and all: %j', (text, mode) => {
    const project = repository({ [FILE]: text });
    chmodSync(project.path(FILE), mode);
    const written = () => [project.read(FILE), statSync(project.path(FILE)).mode & 0o777];
    expect(project.json('hook', 'install', 'claude', '--dry-run')).toMatchObject({ action: 'would_install' });
    expect(project.ralph('hook', 'install', 'claude').stderr).toContain('ralph hook install claude --yes');
    expect(written()).toEqual([text, mode]);
    expect(project.json('hook', 'install', 'claude', '--yes')).toMatchObject({
      action: 'installed',
      file: FILE,
    });
    expect(project.json('hook', 'install', 'claude', '--yes')).toMatchObject({ action: 'unchanged' });
    const again = project.json('hook', 'install', 'claude', '--yes', '--max-asks', '1');
    expect(again).toMatchObject({ action: 'installed' });
    expect(project.read(FILE)).toContain('--max-asks 1');
    expect(project.json('hook', 'list').hooks[0]).toMatchObject({ agent: 'claude', installed: true });
    expect(project.json('hook', 'remove', 'claude', '--dry-run')).toMatchObject({ action: 'would_remove' });
    expect(project.json('hook', 'remove', 'claude')).toMatchObject({ action: 'removed' });
    expect(written()).toEqual([text, mode]);
    expect(project.json('hook', 'remove', 'claude')).toMatchObject({ action: 'absent' });
  });

  it.each(['{"hooks": []}', '{"hooks":{"Stop":"x"}}'])('that have no place for it are left: %s', (text) => {
    const project = repository({ [FILE]: text });
    const { code, stderr } = project.ralph('hook', 'install', 'claude', '--yes');
    expect(stderr).toMatch(/^ralph: \.claude\/settings\.json: "hooks.* isn't an? .*Nothing was written\./);
    expect(code).toBe(2);
    expect(project.read(FILE)).toBe(text);
  });

  it('lose the hook alone where they changed since, and go where there was nothing', () => {
    const project = repository();
    project.json('hook', 'install', 'copilot', '--yes');
    expect(project.ralph('hook', 'install', 'claude', '--yes').stderr).toContain('ralph hook remove copilot');
    expect(project.json('hook', 'remove', 'copilot')).toMatchObject({ file_removed: true });
    expect(project.exists('.github')).toBe(false);
    project.json('hook', 'install', 'claude', '--yes');
    project.write(FILE, project.read(FILE).replace('{', '{\n  "model": "x",'));
    project.json('hook', 'remove', 'claude');
    expect(JSON.parse(project.read(FILE))).toEqual({ model: 'x' });
  });

  it.each<[what: string, make: (project: Project) => void]>([
    ['isn’t valid JSON', (project) => project.write(FILE, '{ "hooks": ')],
    [
      'isn’t UTF-8',
      (project) => writeFileSync(project.path(FILE), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    ],
    [
      'is a link',
      (project) => {
        project.write('elsewhere.json', '{}');
        rmSync(project.path(FILE));
        symlinkSync('../elsewhere.json', project.path(FILE));
      },
    ],
    [
      'is a link',
      (project) => {
        rmSync(project.path('.claude'), { recursive: true });
        symlinkSync(temporaryFolder(), project.path('.claude'));
      },
    ],
    [
      'is a folder',
      (project) => {
        rmSync(project.path(FILE));
        mkdirSync(project.path(FILE));
      },
    ],
  ])('are refused by name, and stay as they are: %s', (what, make) => {
    const project = repository({ [FILE]: '{}' });
    make(project);
    const before = project.git('status', '--porcelain');
    for (const action of [['install', '--yes'], ['remove']]) {
      const { code, stderr } = project.ralph('hook', action[0] ?? '', 'claude', ...action.slice(1));
      expect(code, stderr).toBe(2);
      expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(`${FILE}: .*${what.replace('’', "'")}.* Nothing was written`),
      );
    }
    expect(project.git('status', '--porcelain')).toBe(before);
  });

  it('are not touched where the agent could not be sent back, and that is said', () => {
    const project = repository();
    const { code, stderr } = project.ralph('hook', 'install', 'opencode', '--yes');
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('ends without reading what they send');
    expect(project.git('status', '--porcelain')).toBe('');
  });
});

/** Returns what ralph answers the hook of claude. */
function hook(project: Pick<Project, 'root'>, message: object | string, ...args: string[]) {
  const input = typeof message === 'string' ? message : JSON.stringify({ session_id: 's', ...message });
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  const ran = spawnSync(process.execPath, [BIN, 'hook', 'run', 'claude', ...args], {
    ...{ cwd: project.root, encoding: 'utf8', input },
    env: { RALPH_TRUST: '1', ...env },
  });
  expect(ran.status, ran.stderr).toBe(0);
  return { said: ran.stderr, answer: ran.stdout === '' ? null : JSON.parse(ran.stdout) };
}

const START = { hook_event_name: 'SessionStart' };
const STOP = { hook_event_name: 'Stop', stop_hook_active: false };
const QUIET = { said: '', answer: null };

describe('an agent that is about to stop', () => {
  it('answers for its session alone, committed or not, and once for each state', () => {
    const gates = ['clamp', 'other'].map(
      (name) => `[[gates.commands]]\nname = "${name}"\nrun = "node --test test/${name}.test.js"\n`,
    );
    const project = repository({ '.ralph/ralph.toml': gates.join('') });
    // This test failed before the session, by another cause.
    project.write('test/other.test.js', `${HEAD}test('never', () => assert.fail('never'));\n`);
    expect(hook(project, START)).toEqual(QUIET);
    expect(hook(project, STOP)).toEqual(QUIET);
    project.write('src/clamp.js', WRONG);
    project.commitAll('work of the session');
    const index = project.read('.git/index');
    const { answer } = hook(project, STOP, '--max-asks', '1');
    expect(answer).toMatchObject({ decision: 'block' });
    expect(answer.reason).toContain('failing: clamp bounds what is above');
    expect(answer.reason).not.toContain('never');
    const letGo = hook(project, { ...STOP, stop_hook_active: true }, '--max-asks', '1');
    expect(letGo.answer.systemMessage).toContain('not verified, after 1 request to fix it');
    expect(hook(project, STOP)).toEqual(QUIET);
    project.write('src/clamp.js', RIGHT);
    expect(hook(project, STOP)).toEqual(QUIET);
    expect(project.read('.git/index')).toBe(index);
    expect(project.git('status', '--porcelain').trim()).toBe('M src/clamp.js');
    // The commit at which the session began is gone, so only uncommitted changes are compared.
    project.git('checkout', '-q', '--orphan', 'other');
    project.write('src/clamp.js', WRONG);
    project.commitAll('another beginning');
    expect(hook(project, STOP)).toEqual(QUIET);
  });

  it('is let go, with a word, where its gates take too long, and is not kept waiting again', () => {
    const project = repository({ 'package.json': '{ "scripts": { "test": "sleep 60" } }\n' });
    hook(project, START);
    project.write('src/clamp.js', WRONG);
    expect(hook(project, STOP, '--max-time', '1').said).toContain('take more than 1 s');
    expect(hook(project, STOP)).toEqual(QUIET);
  });

  it('gets nothing of a gate that it never sees', () => {
    const config =
      '[[gates.commands]]\nname = "test"\nrun = "node --test"\n[[gates.commands]]\nname = "hidden"\nrun = "grep -q Math src/clamp.js || { cat held/secret.txt; exit 1; }"\nheld_out = "held"\n';
    const project = repository({ '.ralph/ralph.toml': config, '.gitignore': 'held/\n' });
    project.write('held/secret.txt', 'HIDDEN-WORD\n');
    hook(project, START);
    project.write('src/clamp.js', WRONG);
    const { said, answer } = hook(project, STOP);
    expect(answer.decision, said).toBe('block');
    expect(said + answer.reason).not.toMatch(/HIDDEN-WORD|hidden/);
  });

  it('is judged by its run alone where ralph started it', () => {
    const says = (message: object) =>
      `echo '${JSON.stringify({ session_id: 's', ...message })}' | "${process.execPath}" "${BIN}" hook run claude >> said.txt 2>&1; echo "exit $?" >> said.txt`;
    const script = ['cat > /dev/null', says(START), 'echo x > broken', says(STOP), SHELL_CLAIM];
    const project = makeProject({
      'agent.sh': script.join('\n'),
      '.ralph/ralph.toml': `${shellAgent('max_iterations = 1')}[[gates.commands]]\nname = "test"\nrun = "test ! -e broken"\n`,
      '.gitignore': 'said.txt\n',
    });
    expect(project.ralph('run').code).toBe(3);
    expect(project.iteration(1).decisions.verdict.kind).not.toBe('done');
    expect(project.readCopy('said.txt')).toBe('exit 0\nexit 0\n');
  });

  it('is never held up by ralph itself', () => {
    const project = repository();
    expect(hook(project, 'not JSON')).toEqual(QUIET);
    expect(hook(project, { hook_event_name: 'SubagentStop' })).toEqual(QUIET);
    expect(hook({ root: temporaryFolder() }, STOP).answer).toBeNull();
    // A file blocks the folder with the records of sessions.
    hook(project, START);
    const home = process.env.XDG_STATE_HOME ?? '';
    const id = readFileSync(project.path('.git/ralph/id'), 'utf8').trim();
    rmSync(`${home}/ralph/${id}/hooks`, { recursive: true });
    writeFileSync(`${home}/ralph/${id}/hooks`, '');
    project.write('src/clamp.js', WRONG);
    const { said, answer } = hook(project, STOP);
    expect(answer).toBeNull();
    expect(said).toContain("ralph: the work wasn't checked");
  });
});
