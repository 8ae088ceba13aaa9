/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { attempts, claim, makeProject, type Project, type ProjectFiles } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const hasPython = spawnSync('python3', ['-c', 'import venv']).status === 0;
afterEach(() => vi.unstubAllEnvs());

const PYTHON = {
  'src/pkg/__init__.py': '',
  'src/pkg/clamp.py': 'def clamp(x, low, high):\n    if x < low: return low\n    return x\n',
  'tests/test_clamp.py':
    'import unittest\nfrom pkg.clamp import clamp\nclass T(unittest.TestCase):\n    def test_low(self): self.assertEqual(clamp(1, 2, 3), 2)\n    def test_mid(self): self.assertEqual(clamp(2, 1, 3), 2)\n',
};
const BROKEN = 'def clamp(x, low, high):\n    return 77\n';
const FIXED = 'def clamp(x, low, high):\n    return max(low, min(x, high))\n';
const NODE = {
  'package.json': '{"name":"pkg","version":"1.0.0","main":"index.cjs"}\n',
  'index.cjs': 'exports.clamp = (x, low) => (x < low ? low : x);\n',
  'test/clamp.test.cjs':
    "const test = require('node:test');\nconst assert = require('node:assert');\nconst { clamp } = require('pkg');\ntest('low', () => assert.equal(clamp(1, 2, 3), 2));\ntest('mid', () => assert.equal(clamp(2, 1, 3), 2));\n",
};
const UNITTEST = 'python -m unittest discover -s tests';

type Form = {
  readonly files?: ProjectFiles;
  /** Shell text: what you did in the checkout. `$SITE` is the folder of installed Python packages. */
  readonly prepare: string;
  readonly gate: (root: string) => string;
  readonly env?: (root: string) => Readonly<Record<string, string>>;
};

/** Returns the form of a project with a Python environment in it, in which `prepare` is run. */
const inEnvironment = (prepare: string): Form => ({
  prepare: `python3 -m venv --without-pip .venv; SITE=$(echo .venv/lib/python3*/site-packages); ${prepare}`,
  gate: () => `.venv/bin/${UNITTEST}`,
});
const node = (prepare: string): Form => ({ files: NODE, prepare, gate: () => 'node --test test/' });

const FORMS: Readonly<Record<string, Form>> = {
  'a path': inEnvironment('echo "$PWD/src" > $SITE/pkg.pth'),
  'setuptools, which finds each package': inEnvironment(`
    cat > $SITE/__editable___pkg_0_1_finder.py <<END
import sys
from importlib.machinery import PathFinder
MAPPING: dict[str, str] = {'pkg': '$PWD/src/pkg'}
class _EditableFinder:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        import os
        from importlib.util import spec_from_file_location
        if fullname in MAPPING:
            return spec_from_file_location(fullname, os.path.join(MAPPING[fullname], '__init__.py'))
        return None
def install():
    sys.meta_path.append(_EditableFinder)
END
    echo 'import __editable___pkg_0_1_finder; __editable___pkg_0_1_finder.install()' > $SITE/__editable__.pkg-0.1.pth
    mkdir $SITE/pkg-0.1.dist-info
    echo "{\\"dir_info\\": {\\"editable\\": true}, \\"url\\": \\"file://$PWD\\"}" > $SITE/pkg-0.1.dist-info/direct_url.json
    .venv/bin/python -c 'import pkg.clamp'`),
  'setuptools, before': inEnvironment(
    'echo "$PWD/src" > $SITE/pkg.egg-link; echo "$PWD/src" > $SITE/easy-install.pth; chmod 0444 $SITE/easy-install.pth',
  ),
  'a link among the packages': inEnvironment('ln -s "$PWD/src/pkg" $SITE/pkg'),
  'a script with its interpreter': {
    ...inEnvironment(
      'echo "$PWD/src" > $SITE/pkg.pth; printf \'#!%s/.venv/bin/python\\nimport unittest\\nunittest.main(None, argv=["x", "discover", "-s", "tests"])\\n\' "$PWD" > .venv/bin/check; chmod +x .venv/bin/check',
    ),
    gate: () => '.venv/bin/check',
  },
  'a command that names it': {
    ...inEnvironment('echo "$PWD/src" > $SITE/pkg.pth'),
    gate: (root) => `${root}/.venv/bin/${UNITTEST}`,
  },
  'an environment that is active': {
    ...inEnvironment('echo "$PWD/src" > $SITE/pkg.pth'),
    gate: () => UNITTEST,
    env: (root) => ({ VIRTUAL_ENV: `${root}/.venv`, PATH: `${root}/.venv/bin:${process.env.PATH}` }),
  },
  'a variable': {
    prepare: ':',
    gate: () => UNITTEST.replace('python', 'python3'),
    env: (root) => ({ PYTHONPATH: `${root}/src` }),
  },
  'npm link': node('mkdir node_modules; ln -s "$PWD" node_modules/pkg'),
  'npm link, by its global folder': node(
    'mkdir node_modules; mkdir -p ../prefix/node_modules; ln -sfn "$PWD" ../prefix/node_modules/pkg; ln -s "$(cd ../prefix && pwd)/node_modules/pkg" node_modules/pkg',
  ),
  'npm workspaces': node('mkdir node_modules; ln -s .. node_modules/pkg'),
};

const IN_BOX = new Set([
  'a path',
  'a link among the packages',
  'a variable',
  'npm link, by its global folder',
]);

function prepared({ files = PYTHON, prepare, gate, env }: Form, box: string): Project {
  const isPython = !('package.json' in files);
  const write = (content: string) =>
    ({ action: 'write', path: isPython ? 'src/pkg/clamp.py' : 'index.cjs', content }) as const;
  const evidence = isPython ? 'src/pkg/clamp.py:2 bound' : 'index.cjs:1 bound';
  const project = makeProject({
    '.gitignore': '.venv/\nnode_modules/\n__pycache__/\n',
    ...files,
    '.ralph/scenario.json': attempts(
      [write(isPython ? BROKEN : 'exports.clamp = () => 77;\n'), claim(evidence)],
      [
        write(isPython ? FIXED : 'exports.clamp = (x, low, high) => Math.max(low, Math.min(x, high));\n'),
        claim(evidence),
      ],
    ),
  });
  const { root } = project;
  const ran = spawnSync('sh', ['-ec', prepare], { cwd: root, encoding: 'utf8' });
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const commands = `commands = [{ name = "test", run = ${JSON.stringify(gate(root))} }]`;
  const toml = `[loop]\nagent = "scripted"\nmax_iterations = 2\n[gates]\n${commands}\n[box]\nmode = "${box}"\n`;
  project.write('.ralph/ralph.toml', toml);
  project.git('commit', '-qam', 'gates');
  for (const [name, value] of Object.entries(env?.(root) ?? {})) vi.stubEnv(name, value);
  return project;
}

const verdicts = (project: Project) =>
  project.iterations().map((number) => project.iteration(number).decisions.verdict.kind);

describe.skipIf(!hasPython).each(isWholeBox ? ['auto', 'off'] : ['off'])('box = "%s"', (box) => {
  // In a box each path leads to the copy, so that only some forms differ there.
  const forms = Object.entries(FORMS).filter(([name]) => box === 'off' || IN_BOX.has(name));
  it.each(forms)('gates test the work, and not what the checkout has: %s', (_name, form) => {
    const project = prepared(form, box);
    const { stdout, stderr } = project.ralph('run');
    expect(verdicts(project), stdout + stderr).toEqual(['gates_failed', 'done']);
    const left = spawnSync('grep', ['-rlF', '/slots/', '.venv'], { cwd: project.root, encoding: 'utf8' });
    expect(left.stdout).toBe('');
  });
});

describe.skipIf(!hasPython)('an environment outside of the repository, without a box', () => {
  /**
   * Returns a project that uses a Python environment outside of it, where `folder` of the checkout is on the path for
   * imports.
   */
  const outside = (gate: (folder: string) => string, folder = 'src', files: ProjectFiles = PYTHON) => {
    const place = join(temporaryFolder(), 'envs');
    mkdirSync(place, { recursive: true });
    const site = `${place}/p/lib/python3*/site-packages`;
    const prepare = `python3 -m venv --without-pip ${place}/p; echo "$PWD/${folder}" > $(echo ${site})/pkg.pth`;
    return { place, project: prepared({ files, prepare, gate: () => gate(place) }, 'off') };
  };

  it('by which a gate tests the checkout keeps the run from starting, and is named', () => {
    const { place, project } = outside((folder) => `${folder}/p/bin/${UNITTEST}`);
    const { code, stderr } = project.ralph('run');
    expect(code).toBe(2);
    expect(stderr).toContain(`${place}/p/lib`);
    expect(stderr).toContain('python3 -m venv .venv');
    expect(project.iterations()).toEqual([]);
  });

  it('in the place of an ignored one does, too', () => {
    const { place, project } = outside(() => `.venv/bin/${UNITTEST}`);
    spawnSync('ln', ['-s', `${place}/p`, project.path('.venv')]);
    project.write('.gitignore', '.venv\n__pycache__/\n');
    project.git('commit', '-qam', 'ignored');
    const { code, stderr } = project.ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${place}/p/lib`)]);
  });

  it('blocks nothing where gates test the copy all the same', () => {
    const flat = {
      'pkg/__init__.py': '',
      'src/pkg/clamp.py': PYTHON['src/pkg/clamp.py'],
      'tests/test_clamp.py': PYTHON['tests/test_clamp.py'].replace(
        'import unittest\n',
        'import sys, unittest\nsys.path.insert(0, "src")\n',
      ),
    };
    const { project } = outside((folder) => `${folder}/p/bin/${UNITTEST}`, '', { ...PYTHON, ...flat });
    const { stdout, stderr } = project.ralph('run');
    expect(verdicts(project), stdout + stderr).toEqual(['gates_failed', 'done']);
  });

  it.each(['true', 'python3 -m compileall -q src', 'test -e src/pkg/clamp.py'])(
    "doesn't block a gate that imports nothing: %s",
    (gate) => {
      const { place, project } = outside((folder) => `PATH=${folder}/p/bin:$PATH; ${gate}`);
      vi.stubEnv('VIRTUAL_ENV', `${place}/p`);
      const { code, stdout, stderr } = project.ralph('run', '--max-iterations', '1');
      expect(code, stdout + stderr).toBe(0);
    },
  );
});

/** `pip install .` makes such a copy of the package. */
const AS_COPY = 'cp -r src/pkg $SITE/pkg';
/** Modules of the package find it by its name. */
const LINKED = 'mkdir node_modules; ln -s .. node_modules/pkg';
const NODE_BUILT = {
  ...NODE,
  '.gitignore': 'node_modules/\ndist/\n',
  'package.json':
    '{"name":"pkg","version":"1.0.0","main":"dist/index.cjs","scripts":{"compile":"mkdir -p dist && cp index.cjs dist/"}}\n',
};

describe.skipIf(!hasPython)('gates that test something else', () => {
  const refused: Readonly<Record<string, readonly [form: Form, names: string]>> = {
    'a package that was installed as a copy': [inEnvironment(AS_COPY), 'site-packages/pkg'],
    'what was built before': [
      { files: NODE_BUILT, prepare: `${LINKED}; npm run compile`, gate: () => 'node --test test/' },
      'dist, and not the work',
    ],
    'what was built before, behind a check of the code': [
      {
        files: NODE_BUILT,
        prepare: `${LINKED}; npm run compile`,
        gate: () => 'node --check index.cjs && node --test test/',
      },
      'dist, and not the work',
    ],
    'a script that goes to the checkout': [
      {
        files: { ...NODE, 'check.sh': 'cd TOP && node --test test/\n' },
        prepare: `${LINKED}; sed -i "s|TOP|$PWD|" check.sh`,
        gate: () => 'sh check.sh',
      },
      'check.sh names it by its path',
    ],
  };
  it.each(Object.entries(refused))('keep the run from starting: %s', (_name, [form, names]) => {
    const project = prepared(form, 'off');
    const { code, stdout, stderr } = project.ralph('run');
    expect([code, stderr], stdout).toEqual([2, expect.stringContaining(names)]);
    expect(project.iterations()).toEqual([]);
  });

  it('in a box as well', () => {
    if (!isWholeBox) return;
    const { code, stderr } = prepared(inEnvironment(AS_COPY), 'auto').ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('site-packages/pkg')]);
  });

  it('in another folder altogether', () => {
    const clone = join(temporaryFolder(), 'clone');
    const form = {
      files: NODE,
      prepare: `git clone -q . ${clone}; cd ${clone}; ${LINKED}`,
      gate: () => `cd ${clone} && node --test test/`,
    };
    const { code, stderr } = prepared(form, 'off').ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`tests ${clone}`)]);
  });

  it('count as none beside one that tests the work, and the run says so', () => {
    const project = prepared(inEnvironment(AS_COPY), 'off');
    const [first = ''] = project.read('.ralph/ralph.toml').match(/commands = .*/) ?? [];
    const own = '{ name = "own", run = "PYTHONPATH=src python3 -m unittest discover -s tests" }';
    project.write(
      '.ralph/ralph.toml',
      project.read('.ralph/ralph.toml').replace(first, first.replace(' }]', ` }, ${own}]`)),
    );
    project.git('commit', '-qam', 'one more');
    const { stdout, stderr } = project.ralph('run');
    expect(verdicts(project), stdout + stderr).toEqual(['gates_failed', 'done']);
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain('Until then it counts as none.');
    const ran = project.iterations().flatMap((number) => project.iteration(number).facts.commandRuns);
    expect(new Set(ran.map(({ name }) => name))).toEqual(new Set(['own']));
  });
});

it('tests that reach no code are a gate all the same, and that is said once', () => {
  const test =
    "const test = require('node:test');\nconst assert = require('node:assert');\ntest('title', () => assert.match(require('node:fs').readFileSync('GUIDE.md', 'utf8'), /# Guide/));\n";
  const form = {
    files: { ...NODE, 'GUIDE.md': '# Guide\n', 'test/clamp.test.cjs': test },
    prepare: ':',
    gate: () => 'node --test test/',
  };
  const project = prepared(form, 'off');
  const { code, stdout, stderr } = project.ralph('run', '--max-iterations', '1');
  expect(code, stdout + stderr).toBe(0);
  expect(verdicts(project)).toEqual(['done']);
  const said = stdout.replace(/\s+/g, ' ').split("that it tests your code isn't shown");
  expect(said).toHaveLength(2);
});

it.skipIf(!hasPython)('an environment that git does not ignore is used, and in no commit', () => {
  const project = prepared(
    inEnvironment('echo "$PWD/src" > $SITE/pkg.pth; echo __pycache__/ > .gitignore'),
    'off',
  );
  const { stdout, stderr } = project.ralph('run');
  expect(verdicts(project), stdout + stderr).toEqual(['gates_failed', 'done']);
  expect(project.git('ls-files', '.venv')).toBe('');
});
