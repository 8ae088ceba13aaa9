/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { detectBox } from 'ralph-box';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { always, claim, makeProject, type Project, type ProjectFiles } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { pathToWorking } from '../helpers/working-program.ts';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';
const has = (command: string) => spawnSync('sh', ['-c', command]).status === 0;
const CARGO = `${pathToWorking('cargo')}cargo`;
const hasMake = has('make --version && cc --version');

const TWO = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n';
const toml = (gate: string, more = '') =>
  `[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\n${more}\ncommands = [{ name = "works", run = ${JSON.stringify(gate)} }]\n`;
const DONE = always({ action: 'write', path: '{task}.txt', content: 'x\n' }, claim('{task}.txt:1'));

const project = (gate: string, files: ProjectFiles, more = '') =>
  makeProject({
    '.ralph/PRD.md': TWO,
    '.ralph/ralph.toml': toml(gate, more),
    '.ralph/scenario.json': DONE,
    ...files,
  });
const shell = ({ root }: Project, command: string) =>
  spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
const said = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) =>
  `${code}\n${stdout}${stderr}`;

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(!isWhole).each(['on', 'off'])('with layers %s', (layers) => {
  const unset = () => vi.stubEnv('RALPH_LAYERS', layers === 'off' ? 'off' : '');

  describe.skipIf(!has(`${CARGO} --version`))('cargo', () => {
    const crate = (price: number) => `pub fn price() -> i32 { ${price} }\n`;
    const FILES = {
      '.gitignore': 'target/\nCargo.lock\n',
      'Cargo.toml': '[workspace]\nmembers = ["app", "core"]\nresolver = "2"\n',
      'core/Cargo.toml': '[package]\nname = "price"\nversion = "0.1.0"\nedition = "2021"\n',
      'core/src/lib.rs': crate(5),
      'app/Cargo.toml':
        '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nprice = { path = "../core" }\n',
      'app/src/lib.rs':
        '#[test]\nfn sells() { println!("price {}", price::price()); assert!(price::price() > 4); }\n',
    };
    const GATE = `${CARGO} test --offline -- --nocapture`;

    it('a crate that is broken, built and committed fails its gate', () => {
      unset();
      const made = project(GATE, FILES);
      expect(shell(made, GATE).status).toBe(0);
      const first = made.ralph('run', '--task', 'T-1');
      expect(first.code, said(first)).toBe(0);
      made.write('core/src/lib.rs', crate(3));
      expect(shell(made, GATE).status).toBe(101);
      made.commitAll('x');
      const { gates } = made.json('gates');
      expect(gates).toMatchObject([{ green: false }]);
      expect(said(made.ralph('run', '--task', 'T-2'))).not.toContain('All checks pass');
    });

    it('what landed is what the next gate runs, although it was built in the checkout meanwhile', async () => {
      unset();
      const made = project(GATE, {
        ...FILES,
        '.ralph/scenario.json': JSON.stringify({
          steps: [
            {
              when: { task: 'T-1' },
              do: [
                { action: 'write', path: 'core/src/lib.rs', content: crate(7) },
                claim('core/src/lib.rs:1'),
              ],
            },
          ],
          otherwise: [
            { action: 'shell', command: 'until test -e .ralph/go; do sleep 0.1; done' },
            { action: 'write', path: '{task}.txt', content: 'x\n' },
            claim('{task}.txt:1'),
          ],
        }),
      });
      expect(shell(made, GATE).status).toBe(0);
      const { ended } = made.start('run');
      await eventually(() => expect(made.read('core/src/lib.rs')).toBe(crate(7)), 400_000);
      expect(shell(made, GATE).stdout).toContain('price 7');
      await eventually(() => expect(made.iterations()).toContain(2), 400_000);
      made.write('.ralph/go', '');
      const ran = await ended;
      expect(ran.code, said(ran)).toBe(0);
      const runs = readdirSync(made.path('.ralph/runs'));
      const gate = made.read(`.ralph/runs/${runs[0]}/iterations/0002/gate-1.log`);
      expect(gate).toContain('price 7');
      expect(gate).not.toContain('price 5');
    });
  });

  it.skipIf(!has('python3 --version'))('a package that is installed between two runs is there', () => {
    unset();
    const made = project('.venv/bin/python test.py', { '.gitignore': '.venv/\n', 'test.py': '' });
    expect(shell(made, 'python3 -m venv --without-pip .venv').status).toBe(0);
    const first = made.ralph('run', '--task', 'T-1');
    expect(first.code, said(first)).toBe(0);
    const [version = ''] = readdirSync(made.path('.venv/lib'));
    made.write(`.venv/lib/${version}/site-packages/extra/__init__.py`, '');
    made.write('test.py', 'import extra\n');
    made.commitAll('with extra');
    expect(made.json('gates').gates).toMatchObject([{ green: true }]);
    expect(said(made.ralph('run', '--task', 'T-2'))).toContain('All checks pass');
  });

  it('a nested file of a package that is replaced between two runs is the new one', () => {
    unset();
    const made = project('node test.cjs', {
      '.gitignore': 'node_modules/\n',
      'package.json': '{ "name": "x", "private": true }\n',
      'test.cjs': "require('made/client/index.js').one;\n",
    });
    made.write('node_modules/made/client/index.js', 'exports.one = 1;\n');
    const first = made.ralph('run', '--task', 'T-1');
    expect(first.code, said(first)).toBe(0);
    made.write('node_modules/made/client/new.js', 'exports.two = 2;\n');
    renameSync(made.path('node_modules/made/client/new.js'), made.path('node_modules/made/client/index.js'));
    made.write('test.cjs', "if (require('made/client/index.js').two !== 2) throw new Error();\n");
    made.commitAll('two');
    expect(made.json('gates').gates).toMatchObject([{ green: true }]);
    expect(said(made.ralph('run', '--task', 'T-2'))).toContain('All checks pass');
  });

  describe.skipIf(!hasMake)('make, with its folder kept', () => {
    const util = (price: number) => `int price(void) { return ${price}; }\n`;
    const FILES = {
      '.gitignore': 'build/\n',
      'src/util.c': util(5),
      'src/main.c': 'int price(void);\nint main(void) { return price() > 4 ? 0 : 1; }\n',
      Makefile:
        'test: build/app\n\t./build/app\nbuild/app: build/main.o build/util.o\n\tcc -o $@ $^\nbuild/%.o: src/%.c\n\tmkdir -p build\n\tcc -c -o $@ $<\n',
    };
    /** Returns steps that wait until you have done something. */
    const waiting = (...actions: object[]) =>
      JSON.stringify({
        steps: [
          { do: [{ action: 'shell', command: 'until test -e .ralph/go; do sleep 0.1; done' }, ...actions] },
        ],
      });
    const during = async (made: Project, price: number) => {
      expect(shell(made, 'make').status).toBe(0);
      const { ended } = made.start('run', '--task', 'T-1');
      await eventually(() => expect(made.iterations()).toContain(1), 400_000);
      made.write('src/util.c', util(price));
      expect(shell(made, 'make build/app').status).toBe(0);
      made.write('.ralph/go', '');
      return ended;
    };

    it('honest work passes, whatever you built of an edit meanwhile', async () => {
      unset();
      const done = [{ action: 'write', path: 'T-1.txt', content: 'x\n' }, claim('T-1.txt:1')];
      const made = project(
        'make test',
        { ...FILES, '.ralph/scenario.json': waiting(...done) },
        'keep = ["build"]',
      );
      const ran = await during(made, 1);
      expect(ran.code, said(ran)).toBe(0);
      expect(made.iterations()).toEqual([1]);
      expect(ran.stdout).toContain('All checks pass');
    });

    it('work that breaks it fails, whatever you built of an edit meanwhile', async () => {
      unset();
      const broken = [
        {
          action: 'write',
          path: 'src/main.c',
          content: 'int price(void);\nint main(void) { return price() == 5; }\n',
        },
        claim('src/main.c:1'),
      ];
      const made = project(
        'make test',
        { ...FILES, '.ralph/scenario.json': waiting(...broken) },
        'keep = ["build"]',
      );
      const ran = await during(made, 6);
      expect(ran.code, said(ran)).not.toBe(0);
      expect(made.git('log', '--format=%s', '--', 'src/main.c').split('\n')).toHaveLength(1);
    });
  });

  it.skipIf(!has('javac -version'))('a class of a file that is not committed satisfies no gate', () => {
    unset();
    const made = project('javac -cp target/classes -d target/classes src/*.java', {
      '.gitignore': 'target/\n',
      'src/Main.java': 'class Main { int one() { return Helper.one(); } }\n',
    });
    made.write('src/Helper.java', 'class Helper { static int one() { return 1; } }\n');
    mkdirSync(made.path('target/classes'), { recursive: true });
    expect(shell(made, 'javac -d target/classes src/*.java').status).toBe(0);
    expect(said(made.ralph('run', '--task', 'T-1'))).not.toContain('All checks pass');
  });
});
