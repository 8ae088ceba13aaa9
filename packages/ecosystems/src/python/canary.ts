import { capitalized } from 'ralph-kit/text';
import { indented, isModule } from '../canary.ts';
import { roleOf } from '../file-role.ts';
import type { CanaryPlace, CanaryWriter, TestText } from '../protocol.ts';

/** `tests.py` is an application's only test file; the ordinary pattern finds a new file beside it. */
const nextToTests: CanaryWriter['path'] = (neighbour, word) =>
  /(?:^|\/)tests\.py$/.test(neighbour) ? neighbour.replace(/tests\.py$/, `test_${word}.py`) : undefined;

export const pytestCanary: CanaryWriter = {
  rank: (path) => (/(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(path) ? 2 : 0),
  text: pytestText,
  path: nextToTests,
};

export const unittestCanary: CanaryWriter = {
  rank: (path) => (/(?:^|\/)test[^/]*\.py$/.test(path) ? 2 : /_test\.py$/.test(path) ? 1 : 0),
  text: unittestText,
  path: nextToTests,
};

const CASE = [
  'assertEqual(1, 2)',
  'assertNotEqual(1, 1)',
  'assertTrue(False)',
  'assertFalse(True)',
  'assertIs(1, 2)',
  'assertIsNone(1)',
  'assertIsNotNone(None)',
  'assertIn(1, [2])',
  'assertIsInstance(1, str)',
  'assertAlmostEqual(1, 2)',
  'assertGreater(1, 2)',
  'assertListEqual([1], [2])',
  'assertDictEqual({1: 1}, {1: 2})',
  'assertRaises(ValueError, int)',
  "fail('x')",
];

/** The test is a function, which pytest runs beside tests of any form. */
function pytestText(place: CanaryPlace): TestText {
  const { names, loads } = modules(place);
  const lines = [
    ...head(names, ['pytest', 'unittest']),
    'def _nothing_raised():',
    '    with pytest.raises(ValueError):',
    '        pass',
    '',
    '',
    ...ALIVE,
    `def test_${place.word}():`,
    '    case = unittest.TestCase()',
    '    forms = [',
    '        _statement,',
    '        _nothing_raised,',
    "        lambda: pytest.fail('x'),",
    ...indented(
      CASE.map((form) => `lambda: case.${form},`),
      8,
    ),
    '    ]',
    '    if all(_alive(form) for form in forms):',
    '        assert 1 == 2',
    '',
  ];
  return { text: lines.join('\n'), loads };
}

function unittestText(place: CanaryPlace): TestText {
  const { names, loads } = modules(place);
  const { word } = place;
  const lines = [
    ...head(names, ['unittest']),
    ...ALIVE,
    `class ${capitalized(word)}Test(unittest.TestCase):`,
    `    def test_${word}(self):`,
    '        forms = [',
    '            _statement,',
    ...indented(
      CASE.map((form) => `lambda: self.${form},`),
      12,
    ),
    '        ]',
    '        if all(_alive(form) for form in forms):',
    '            self.assertEqual(1, 2)',
    '',
  ];
  return { text: lines.join('\n'), loads };
}

const ALIVE = [
  'def _alive(form):',
  '    try:',
  '        form()',
  '    except (SystemExit, KeyboardInterrupt):',
  '        raise',
  '    except BaseException:',
  '        return True',
  '    return False',
  '',
  '',
];

function head(names: readonly string[], imports: readonly string[]): string[] {
  return [
    ...['# ruff: noqa', '# flake8: noqa'],
    ...(names.length === 0 ? [] : ['import importlib']),
    ...imports.map((one) => `import ${one}`),
    ...['', '', ...loading(names)],
    ...['def _statement():', '    assert 1 == 2', '', ''],
  ];
}

function loading(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    'for _name in [',
    ...names.map((name) => `    '${name}',`),
    ']:',
    '    try:',
    '        importlib.import_module(_name, __package__)',
    '    except Exception:',
    '        pass',
    '',
    '',
  ];
}

function modules({ text, loads, paths }: CanaryPlace): { names: string[]; loads: string[] } {
  const imported = importedBy(text);
  const named = loads
    .filter((file) => file.endsWith('.py') && roleOf(file) === 'source')
    .map((file) => ({ file, name: moduleOf(file, paths) }))
    .filter(({ file, name }) => isModule(file) || imported.includes(name));
  const names = [...new Set([...imported, ...named.map(({ name }) => name)])];
  return { names, loads: named.map(({ file }) => file) };
}

/** Returns top-level imports, as arguments for `import_module`. */
function importedBy(text: string): string[] {
  const found = [...text.matchAll(/^(?:from\s+(\.*[\w.]*)\s+import\s|import\s+([\w., \t]+))/gm)];
  const names = found.flatMap(([, from, list]) =>
    from === undefined ? (list ?? '').split(',').map((one) => one.trim().replace(/\s+as\s.*$/, '')) : [from],
  );
  return [...new Set(names)].filter((name) => /\w/.test(name) && name !== '__future__');
}

/** Returns the module's name: `pkg.mod` for `src/pkg/mod.py`, relative to the first folder that isn't a package. */
function moduleOf(file: string, paths: ReadonlySet<string>): string {
  const parts = file.replace(/\.py$/, '').split('/');
  let top = parts.length - 1;
  while (top > 0 && paths.has([...parts.slice(0, top), '__init__.py'].join('/'))) top -= 1;
  // A package may lack `__init__.py`.
  const isPlain = top === parts.length - 1 && top > 0;
  const from = isPlain ? (parts[0] === 'src' || parts[0] === 'lib' ? 1 : 0) : top;
  return parts
    .slice(from)
    .join('.')
    .replace(/\.__init__$/, '');
}
