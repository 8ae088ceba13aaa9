/** @module-tag slow */

import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { BIN, makeProject, type Project, type ProjectFiles } from '../helpers/cli.ts';
import { finishedOf } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const DONE = 'echo work > work.txt\nprintf "STATUS: DONE\\nEXIT_SIGNAL: true\\n"\n';

/** Returns a project whose agent runs this shell script, with `given` as `$1`. */
function withAgent(script: string, given: string, config = '', files: ProjectFiles = {}): Project {
  return makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "./agent.sh", "${given}", "-"]\n${config}`,
    '.gitignore': 'node_modules/\n',
    'agent.sh': `cat > /dev/null\n${script}\n${DONE}`,
    ...files,
  });
}

/**
 * The script puts a line in front of each file of a program, in place, so that other names of the file lead to it, too.
 */
const REWRITE = `for file in $(find "$1" -name '*.js'); do
  text=$(mktemp)
  { echo 'import{writeFileSync as mark}from"node:fs";mark(process.env.MARK,"");'; cat "$file"; } > "$text"
  cat "$text" > "$file"
  rm "$text"
done`;

/** Installs ralph as a dev dependency of the project, and returns how to run it. */
function installed(project: Project) {
  const own = project.path('node_modules/ralph-gold');
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(dirname(dirname(BIN)), name), join(own, name), { recursive: true });
  const mark = join(temporaryFolder(), 'mark');
  const ralph = (...args: string[]) => {
    const env = { ...process.env, MARK: mark, RALPH_TRUST: '1' };
    const program = [join(own, 'bin', 'ralph.js'), ...args];
    return finishedOf(spawn(process.execPath, program, { cwd: project.root, env, stdio: 'pipe' }));
  };
  const isRewritten = () =>
    readFileSync(join(own, 'dist/cli/main.js'), 'utf8').startsWith('import{writeFileSync as mark}');
  return { own, mark, ralph, isRewritten };
}

/** Runs ralph without the trust that tests otherwise get by environment. */
function untrusted(project: Project, ...args: string[]) {
  const env = { ...process.env, RALPH_TRUST: '0' };
  const run = spawnSync(process.execPath, [BIN, ...args], { cwd: project.root, env, encoding: 'utf8' });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

describe('ralph as a dev dependency', () => {
  it('is rewritten by an agent without a box, and the run goes by what it was', async () => {
    const project = withAgent(REWRITE, '$CHECKOUT', '[box]\nmode = "off"\n');
    const { own, mark, ralph, isRewritten } = installed(project);
    project.write(
      '.ralph/ralph.toml',
      project.read('.ralph/ralph.toml').replace('$CHECKOUT', join(own, 'dist')),
    );
    const run = await ralph('run');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(isRewritten()).toBe(true);
    expect(existsSync(mark)).toBe(false);
    // A command that is started now runs the installed files.
    await ralph('status');
    expect(existsSync(mark)).toBe(true);
  });

  it('finds the engine of a fleet beside it, with all that it needs', async () => {
    const project = withAgent('true', '');
    const { ralph } = installed(project);
    project.git('remote', 'add', 'origin', project.root);
    process.env.RALPH_FLEET_URL = 'redis://127.0.0.1:1';
    const status = () => ralph('fleet', 'status');
    expect((await status()).stderr).toContain("ralph-fleet isn't installed beside ralph");
    symlinkSync(join(dirname(dirname(BIN)), 'packages/fleet'), project.path('node_modules/ralph-fleet'));
    expect((await status()).stderr).toContain("Redis at redis://127.0.0.1:1 doesn't answer");
    // Commands that decide for you run from the copy that agents can't reach.
    expect((await ralph('fleet', 'worker')).stderr).toContain("Redis at redis://127.0.0.1:1 doesn't answer");
    delete process.env.RALPH_FLEET_URL;
  });

  it.skipIf(!isWholeBox)('has no second name that the box shows to be written', async () => {
    const store = join(homedir(), '.local/share/pnpm/store/v3');
    const project = withAgent(REWRITE, store);
    const { own, mark, ralph, isRewritten } = installed(project);
    mkdirSync(join(store, '..'), { recursive: true });
    linkTree(join(own, 'dist'), store);
    await ralph('run');
    expect(isRewritten()).toBe(false);
    expect(existsSync(mark)).toBe(false);
    rmSync(store, { recursive: true });
  });
});

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, other] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(old, other);
    else linkSync(old, other);
  }
}

describe.skipIf(!isWholeBox)('a command that notifies you', () => {
  const TELL = '[notify]\ncommand = "sh tools/tell.sh"\ntries = 1\n';

  it('is a script of the repository that an agent changed: it runs in the box', () => {
    const mark = join(temporaryFolder(), 'mark');
    const project = withAgent('cp agents.sh tools/tell.sh', '', TELL, {
      'tools/tell.sh': 'cat > /dev/null\n',
      'agents.sh': `cat > /dev/null\necho told > ${mark}\n`,
    });
    expect(project.ralph('run').code).toBe(0);
    // The file landed with its task, and the script does this where no box stops it.
    expect(project.read('tools/tell.sh')).toContain(mark);
    expect(existsSync(mark)).toBe(false);
    spawnSync('sh', ['tools/tell.sh'], { cwd: project.root, input: '' });
    expect(existsSync(mark)).toBe(true);
  });

  it('is an honest script of the repository: it reads what it needs, and writes where you opened', () => {
    const folder = temporaryFolder();
    const project = withAgent(':', '', `${TELL}[box]\nwritable = ["${folder}"]\n`, {
      'tools/tell.sh': `{ cat tools/name.txt; cat; } > ${folder}/mail\n`,
      'tools/name.txt': 'shop ',
    });
    expect(project.ralph('notify', 'test')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'mail'), 'utf8')).toMatch(/^shop \{"schema":"ralph\.notification\.v1"/);
  });

  it('is a program of yours: it runs as you', () => {
    const project = withAgent(':', '', '[notify]\ncommand = "cat > told"\n');
    expect(project.ralph('notify', 'test')).toMatchObject({ code: 0 });
    expect(project.read('told')).toContain('ralph.notification.v1');
  });
});

describe('what a module imports is a part of what you approved', () => {
  const FILES = {
    '.ralph/rules.mjs':
      "import { judge } from '../lib/judge.mjs';\nexport default [{ name: 'mine', judge }];\n",
    'lib/judge.mjs': "import { no } from 'told';\nexport const judge = () => no;\n",
  };
  const RULES = '[review.rules]\ncustom_rules_path = ".ralph/rules.mjs"\n';

  function approved() {
    const project = withAgent(':', '', RULES, FILES);
    project.write('node_modules/told/package.json', '{"name":"told","type":"module","exports":"./index.js"}');
    project.write('node_modules/told/index.js', 'export const no = null;\n');
    expect(untrusted(project, 'trust').stdout).toContain('lib/judge.mjs (sha256:');
    return project;
  }

  it('is listed, and the run starts', () => {
    expect(untrusted(approved(), 'run').code).toBe(0);
  });

  it.each([
    ['a file', 'lib/judge.mjs', 'export const judge = () => null;\n'],
    ['a package', 'node_modules/told/index.js', 'export const no = undefined;\n'],
  ])('%s that changes asks again', (_what, path, text) => {
    const project = approved();
    project.write(path, text);
    const run = untrusted(project, 'run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("This repository runs commands you haven't approved. Nothing was run.");
    expect(project.iterations()).toEqual([]);
  });

  it('that can not be read ends the run before it begins', () => {
    const project = withAgent(':', '', '[interventions.handlers]\nmine = "./none.mjs"\n');
    const run = project.ralph('run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("./none.mjs: it can't be read: it doesn't exist");
  });
});
