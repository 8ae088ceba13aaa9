import { firstFile, testGate } from '../project.ts';
import type { Found, FoundGate, Project, SeenFiles } from '../protocol.ts';

const PYTEST_ADDOPTS = /^\s*addopts\s*=.*(?:\n[ \t]+\S.*)*/m;
const NOTHING_IS_RUN = /--(?:collect-only|co|setup-only|setup-plan|fixtures|markers|version|help)\b/;
/** behave starts no step with this setting, and exits with 0. */
const DRY_RUN = /^\[(?:tool\.)?behave\](?:\n(?!\[).*)*?\n\s*dry_run\s*[=:]\s*(?:true|yes|on|1)\b/im;

export const python: Project = {
  name: 'python',
  detect: pythonGates,
  settings: [
    {
      programs: /^(?:pytest|py\.test)$/,
      files: ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'],
      part: PYTEST_ADDOPTS,
      vacuous: NOTHING_IS_RUN,
      why: 'runs no test',
    },
    {
      programs: /^behave$/,
      files: ['behave.ini', '.behaverc', 'setup.cfg', 'tox.ini', 'pyproject.toml'],
      part: DRY_RUN,
      vacuous: DRY_RUN,
      why: 'runs no test',
    },
  ],
};

const MANIFESTS = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pytest.ini',
  'behave.ini',
  'tox.ini',
  'Pipfile',
];

/** Prefix for programs in the project's own environment, by the file that requires it. */
const RUNNERS: readonly (readonly [path: string, table: string | null, prefix: string])[] = [
  ['uv.lock', '[tool.uv', 'uv run '],
  ['poetry.lock', '[tool.poetry', 'poetry run '],
  ['pdm.lock', '[tool.pdm', 'pdm run '],
  ['Pipfile', null, 'pipenv run '],
];

function pythonGates(files: SeenFiles): Found | null {
  const { paths, read } = files;
  const requirements = [...paths].filter((path) => /^requirements[^/]*\.(?:txt|in)$/.test(path));
  const hasTests = [...paths].some((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(path));
  if (firstFile(files, MANIFESTS) === null && !(hasTests && requirements.length > 0)) return loneTests(files);
  const project = read('pyproject.toml') ?? '';
  const text = [...MANIFESTS, ...requirements].map((path) => read(path) ?? '').join('\n');
  const lock = RUNNERS.find(([path]) => paths.has(path));
  const prefix = (lock ?? RUNNERS.find(([, table]) => table !== null && project.includes(table)))?.[2] ?? '';
  const uses = (tool: string, config: readonly string[]) =>
    firstFile(files, config) !== null ||
    new RegExp(String.raw`\[(?:tool[.:])?${tool}\b`).test(text) ||
    new RegExp(String.raw`(?:^|["'\s])${tool}(?=["'\s=<>~!;[]|$)`, 'm').test(text);
  const gate = (kind: FoundGate['kind'], name: string, command: string): FoundGate => ({
    kind,
    name,
    run: `${prefix}${command}`,
    tool: name,
  });
  const usesPytest = hasTests || uses('pytest', ['pytest.ini']);
  const test = testsOf(files, { project, prefix, usesPytest, usesBehave: uses('behave', ['behave.ini']) });
  return {
    gates: [
      ...(uses('ruff', ['ruff.toml', '.ruff.toml']) ? [gate('lint', 'ruff', 'ruff check .')] : []),
      ...(uses('flake8', ['.flake8']) ? [gate('lint', 'flake8', 'flake8')] : []),
      ...(uses('mypy', ['mypy.ini', '.mypy.ini']) ? [gate('types', 'mypy', 'mypy .')] : []),
      ...(uses('pyright', ['pyrightconfig.json']) ? [gate('types', 'pyright', 'pyright')] : []),
      ...(test === null ? [] : [test]),
    ],
    notes: [],
  };
}

/** Returns a gate for test files at the root or in the usual folder, when no other file marks a project. */
function loneTests({ paths, read }: SeenFiles): Found | null {
  const tests = [...paths].filter((path) => /^(?:tests?\/)?(?:test_[^/]*|[^/]*_test)\.py$/.test(path));
  const [first] = tests;
  if (first === undefined) return null;
  const isOfUnittest = tests.every((path) => /^\s*(?:import|from) unittest\b/m.test(read(path) ?? ''));
  if (!isOfUnittest || tests.some((path) => path.endsWith('_test.py')))
    return { gates: [pytestGate('')], notes: [] };
  const folder = first.split('/').slice(0, -1).join('/');
  // unittest searches a folder that isn't a package only if named.
  const named = folder === '' || paths.has(`${folder}/__init__.py`) ? '' : ` discover -s ${folder}`;
  return { gates: [testGate('unittest', `python3 -m unittest${named}`)], notes: [] };
}

/** pytest started as a module can import the project's files even if they aren't installed. */
function pytestGate(prefix: string): FoundGate {
  return { ...testGate('pytest', `${prefix}pytest -q`), otherwise: `${prefix}python3 -m pytest -q` };
}

type Tests = {
  readonly project: string;
  readonly prefix: string;
  readonly usesPytest: boolean;
  readonly usesBehave: boolean;
};

function testsOf(
  { paths, read }: SeenFiles,
  { project, prefix, usesPytest, usesBehave }: Tests,
): FoundGate | null {
  const tox = `${read('tox.ini') ?? ''}\n${read('setup.cfg') ?? ''}\n${project}`;
  // uv and poetry already provide the environment.
  if (prefix === '' && /^\[(?:tox(?::tox)?|testenv|tool\.tox)\b/m.test(tox)) {
    // `py` is tox's test environment with the installed Python.
    return testGate('tox', 'tox -e py');
  }
  if (usesBehave && !usesPytest) return testGate('behave', `${prefix}behave`);
  const isPackage = /^\[(?:project|build-system|tool\.poetry)\b/m.test(project);
  if (usesPytest || isPackage || paths.has('setup.py') || paths.has('setup.cfg')) {
    return pytestGate(prefix);
  }
  return null;
}
