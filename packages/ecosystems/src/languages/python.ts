import { groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { HASH, one, TRIPLE } from './syntax.ts';

export const language: Language = {
  files: {
    tests: /(?:^|\/)tests?\.py$/,
    support:
      /(?:^|\/)conftest\.py$|(?:^|\/)(?:site|user)customize\.py$|(?:^|\/)features\/(?:steps\/.+|environment)\.py$/,
    settings:
      /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.(?:ini|toml)|\.coveragerc|mypy\.ini|\.?ruff\.toml|\.?pylintrc|\.flake8|\.bandit|setup\.py|pyrightconfig\.(?:jsonc?|ya?ml|properties)|behave\.ini|\.behaverc)$|(?:^|\/)\.(?:pylint|flake8|coverage)ignore$/,
    recipes: /(?:^|\/)(?:noxfile|tasks)\.py$/,
  },
  packages: {
    manifests: /^(?:pyproject\.toml|requirements[\w-]*\.txt|Pipfile)$/,
    // `Pipfile.lock` has no `rewriteCommand`: pipenv would change the versions of all other packages.
    locks: [
      {
        file: 'uv.lock',
        manifest: 'pyproject.toml',
        install: () => 'uv sync --frozen',
        rewriteCommand: () => 'uv lock',
      },
      {
        file: 'poetry.lock',
        manifest: 'pyproject.toml',
        install: () => 'poetry install --no-interaction',
        // Poetry 2 keeps versions by default and rejects the option.
        rewriteCommand: (text) =>
          `poetry lock --no-interaction${/^# .* by Poetry 1\./.test(text) ? ' --no-update' : ''}`,
      },
      { file: 'Pipfile.lock' },
      { file: 'pdm.lock' },
    ],
    hosts: [
      [
        ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile', 'uv.lock'],
        ['pypi.org', 'files.pythonhosted.org'],
      ],
    ],
  },
  outputs: {
    folders: [
      '__pycache__',
      '.venv',
      '.tox',
      '.nox',
      '.eggs',
      '.pytest_cache',
      '.mypy_cache',
      '.ruff_cache',
      '.hypothesis',
      '.ipynb_checkpoints',
    ],
    files: [String.raw`\.coverage(?:\..+)?`, String.raw`.*\.py[co]`],
  },
  caches: ['.pytest_cache', '.mypy_cache', '.ruff_cache'],
  receivers: ['pytest', 'np'],
  checkers: [
    'pytest unittest tox nox behave',
    'mypy pyright',
    'black ruff ruff-format yapf',
    'flake8 pylint ruff bandit',
    'isort',
    'coverage',
    'doctest',
    'pre-commit',
  ],
  programs: 'python python3 pip pip3 pipx poetry uv uvx coverage hatch',
  variables: [
    'PYTEST_CURRENT_TEST',
    'PYTEST_VERSION',
    'PYTEST_XDIST_WORKER',
    'PYTEST_RUN_CONFIG',
    'NOSE_\\w+',
  ],
  asksForTests: [
    /["'](?:pytest|_pytest|unittest|nose|py\.test)["']\s+(?:not\s+)?in\s+(?:list\()?(?:sys\.modules|sys\.argv|\w+\.modules|globals\(\)|os\.environ)/g,
    /\bsys\.(?:modules\.get|modules\[|argv\[0\])[^\n]*(?:pytest|unittest|\btest)/g,
  ],
  rewritesSnapshots: /--snapshot-update\b/,
  uncovered: { comment: /\bpragma:?\s*no\s*(?:cover|branch)/gi },
  code: {
    python: {
      endings: 'py pyi pyx',
      ...HASH,
      strings: [...TRIPLE, one('"'), one("'")],
      headers: [/^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(/gm],
      idioms: skips(
        /@pytest\.mark\.parametrize\([^()\n]*,\s*\[\s*\]\s*[,)]/g,
        /@pytest\.fixture\b[^\n]*\n[ \t]*(?:async[ \t]+)?def[ \t]+test_/g,
        /\braise\s+pytest\.skip\.Exception\b/g,
        /@(?:pytest\.)?mark\.(?:skip|xfail)\b(?!if)(?:\((?:[^()]|\([^()]*\))*\))?/g,
        /@(?:pytest\.)?mark\.skipif\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
        /(?<!@)(?:pytest\.)?mark\.(?:skip|xfail|skipif)\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
        /\bpytest\.(?:skip|xfail|importorskip|exit)\s*\((?:[^()]|\([^()]*\))*\)/g,
        /(?<![.\w])(?:skip|xfail)\s*\(\s*(?:"|'|reason|\))/g,
        /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
        /\bself\.skipTest\s*\(/g,
        /\braise\s+(?:unittest\.)?(?:SkipTest|Skipped)\b/g,
        /\bcollect_ignore(?:_glob)?\s*(?:\+?=|\.(?:append|extend)\()\s*\[?\s*["'\w]/g,
        /\b__test__\s*=\s*False\b|\b__unittest_skip__\s*=\s*True\b/g,
        /@(?:nottest|nose\.tools\.nottest)\b/g,
        // behave skips by these calls in a hook or step; a tag alone skips nothing.
        /\b(?:scenario|feature|rule)\.skip\s*\(/g,
      ).concat(groups(/@(?:pytest\.)?mark\.(?!skip)NAME/)),
      rewritesOutcome:
        /^[ \t]*[a-z_]\w*(?:\.\w+)+[ \t]*=[ \t]*lambda\b[^:\n]*:[ \t]*[-\d"'[({]|\bsys\.modules\[[^\]\n]*\][ \t]*=(?!=)(?![^\n]*Mock)|\b(?:rep|report|result|outcome|r)\.outcome\s*=\s*["']|\.(?:passed|failed)\s*=\s*(?:True|False)|\bexitstatus\s*=\s*(?:0|pytest\.ExitCode\.OK|ExitCode\.OK)|\.testsfailed\s*=\s*0|\bos\._exit\s*\(\s*0|\b(?:sys\.)?exit\s*\(\s*0\s*\)|\batexit\.register\s*\([^)]*exit|\bitems\s*(?:\[:\])?\s*=\s*\[?|\bitems\.clear\s*\(|\bitems\.remove\s*\(|\bdel\s+items|\bconfig\.hook\.pytest_deselected|\badd_marker\s*\(\s*(?:pytest\.mark\.)?["']?(?:skip|xfail)|\bbuiltins\.\w*(?:assert|Assert)\w*\s*=|\bAssertionError\s*=|\bunittest\.TestCase\.\w+\s*=|\bdef\s+pytest_(?:pyfunc_call|runtest_protocol|runtest_call)\b[\s\S]{0,120}?\breturn\s+True|\b_pytest\.\w+(?:\.\w+)*\s*=|\bcall\.excinfo\s*=\s*None|\bmonkeypatch\.setattr\s*\(\s*["'](?:unittest|pytest|builtins)|\bdef\s+pytest_ignore_collect\b|\bdef\s+pytest_report_teststatus\b[\s\S]{0,120}?\breturn\s*\(?\s*["']passed|\bdef\s+pytest_(?:runtest_call|pyfunc_call|runtest_protocol)\b[\s\S]{0,160}?\bexcept\b[^\n]*:\s*(?:pass|return)/gm,
      endsWell:
        /\batexit\.register\s*\(\s*(?:lambda[^\n]*)?os\._exit|\bsys\.excepthook\s*=[^\n]*\b_?exit\s*\(\s*0/g,
    },
  },
};
