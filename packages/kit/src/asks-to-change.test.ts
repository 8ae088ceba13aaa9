import { expect, it } from 'vitest';
import {
  asksToChange,
  asksToLoosenTests,
  asksToSilence,
  asksToSkip,
  type GateInput,
} from './asks-to-change.ts';

type Row = readonly [task: string, thing: GateInput, path: string];

/** Tasks in words, each with what they ask to change and what they don't. */
const ASKED: readonly Row[] = [
  [
    'The test of vat expects 119.5 for 100 at 19 %: 119 is right, correct the test',
    'tests',
    'test/vat.test.cjs',
  ],
  ['The expected price in test/price.test.cjs is 12.5, not 12.05', 'tests', 'test/price.test.cjs'],
  ['In spec/price_spec.rb 0.1 + 0.2 is expected to be 0.4; correct it', 'tests', 'spec/price_spec.rb'],
  ['Correct the expected value in the test of tax: 7 % of 200 is 14', 'tests', 'test/tax.test.cjs'],
  ['Fix the typo in the test of names', 'tests', 'test/names.test.ts'],
  ['The tests of the parser are outdated: update them', 'tests', 'tests/test_parser.py'],
  ['Update the tests for the new error messages', 'tests', 'tests/test_errors.py'],
  ['Skip the test of links on Windows, where they need rights', 'tests', 'test/link.test.cjs'],
  ['Delete the tests of the old API', 'tests', 'test/old.test.js'],
  ['Remove the obsolete function `remove` of the store, with its tests', 'tests', 'test/store.test.cjs'],
  ['Move packages/mail to packages/post, tests included', 'tests', 'packages/post/test/send.test.cjs'],
  ['Split test/store.test.cjs into one file for reading and one for writing', 'tests', 'test/store.test.cjs'],
  ['Name the tests of the store as whole sentences', 'tests', 'test/store.test.cjs'],
  ['Make one parametrised test of the four tests of slug', 'tests', 'test/slug.test.cjs'],
  [
    'The test of debounce is flaky: use a mocked clock in place of real time',
    'tests',
    'test/debounce.test.cjs',
  ],
  [
    'Compare floating point results with a tolerance of 1e-9 in place of exactly',
    'tests',
    'test/area.test.cjs',
  ],
  ['Loosen the tolerance of the area test to 1e-6', 'tests', 'test/area.test.cjs'],
  ['Change the limit in test/limit.test.ts from 5 to 6', 'tests', 'test/limit.test.ts'],
  ['Rewrite the tests in TypeScript', 'tests', 'test/a.test.ts'],
  ['Update the snapshot of the page: the footer says 2026', 'snapshots', 'test/page.snap'],
  ['Regenerate the golden files', 'snapshots', 'testdata/a.golden'],
  ['Record the cassettes again: re-record all of them', 'snapshots', 'cassettes/a.yaml'],
  ['The menu lists dishes by price. Update the snapshots.', 'snapshots', 'test/__snapshots__/menu.snap'],
  ['Run vitest -u, the date in the footer changed', 'snapshots', 'test/__snapshots__/page.snap'],
  ['The snapshot of the header is out of date', 'snapshots', 'test/header.snap'],
  ['The snapshots must be updated with the new prices', 'snapshots', 'test/menu.snap'],
  ['Replace the fixture with one of this year', 'data', 'test/fixtures/rates.json'],
  ['The fixture of orders has a wrong currency', 'data', 'test/fixtures/orders.json'],
  ['Add the currency CHF to test/fixtures/currencies.json', 'data', 'test/fixtures/currencies.json'],
  ['Raise the time limit of jest to 20 s', 'settings', 'package.json'],
  ['Raise the timeout to 10 s', 'settings', 'vitest.config.ts'],
  ['Lower the coverage threshold to 70 % until the rewrite is through', 'settings', '.c8rc.json'],
  ['Loosen the lint rules for generated code', 'settings', 'eslint.config.js'],
  ['Disable the rule no-console for scripts', 'settings', 'eslint.config.js'],
  ['Ignore the DeprecationWarning of pkg_resources, it is not ours', 'settings', 'pyproject.toml'],
  ['Turn on strict mode in tsconfig.json', 'settings', 'tsconfig.json'],
  [
    'The build fails as tsconfig.json is missing the lib DOM: add it to tsconfig.json',
    'settings',
    'tsconfig.json',
  ],
  ['Add a build script', 'settings', 'package.json'],
  ['Fix the config of eslint, it is not found', 'settings', 'eslint.config.js'],
  ['The test script is broken: it calls mocha', 'settings', 'package.json'],
  ['Set up vitest: write a config', 'settings', 'vitest.config.ts'],
  ['Raise the limit in .coverage-limit to 80', 'settings', '.coverage-limit'],
  ['Retries of the browser tests are lowered to 1', 'settings', 'playwright.config.ts'],
];

/** A task that wants a test or a gate to pass wants the code to be right. */
const NOT_ASKED: readonly Row[] = [
  ['test/clamp.test.js is failing. Fix it.', 'tests', 'test/clamp.test.js'],
  ['Make the test "rounds up" pass', 'tests', 'test/round.test.js'],
  ['Fix clamp: `clamp(10, 0, 5)` must be 5', 'tests', 'test/clamp.test.js'],
  ['Fix the failing tests', 'tests', 'test/a.test.js'],
  ['The test `round_half` fails; round correctly', 'tests', 'tests/test_round.py'],
  ['Update clamp so that the tests pass', 'tests', 'test/clamp.test.js'],
  ['Change src/clamp.js until test/clamp.test.js is green', 'tests', 'test/clamp.test.js'],
  ['Correct the rounding of prices', 'tests', 'test/price.test.js'],
  ['Rewrite the parser without changing the tests', 'tests', 'test/parser.test.js'],
  ["Correct the total. Don't change the tests.", 'tests', 'test/total.test.js'],
  ['Fix the total, and do not update the snapshots', 'snapshots', 'test/total.snap'],
  ['The tests must not be changed: correct the sum', 'tests', 'test/sum.test.js'],
  ['Sort the menu by price', 'snapshots', 'test/__snapshots__/menu.snap'],
  ['Prices in the menu have a currency', 'snapshots', 'test/menu.snap'],
  ['The snapshot test of the menu fails: sort the dishes', 'snapshots', 'test/__snapshots__/menu.snap'],
  ['Read orders of last year', 'data', 'test/fixtures/orders.json'],
  ['The parser must accept every sample in test/fixtures', 'data', 'test/fixtures/a.json'],
  ['Bring the coverage of money to 100 %', 'settings', '.coverage-limit'],
  ['Raise the coverage to 90 %', 'settings', '.c8rc.json'],
  ['The coverage gate fails: add tests', 'settings', 'coverage-limit.json'],
  ['Raise the coverage above the threshold', 'settings', '.c8rc.json'],
  ['Fix the DeprecationWarning of the tests', 'settings', 'pyproject.toml'],
  ['Fix the warning that makes the tests fail', 'settings', 'pyproject.toml'],
  ['Fix the lint errors', 'settings', 'eslint.config.js'],
  ['Correct the types, tsc fails', 'settings', 'tsconfig.json'],
  ['npm test must pass', 'settings', 'package.json'],
  ['Write the function vat: 100 at 19 % is 119', 'settings', 'package.json'],
  ['Rename `fetchUser` to `loadUser` everywhere', 'settings', 'package.json'],
  ['Write a loader of images', 'tests', 'test/image.test.js'],
  ['Correct the value of the total in src/total.js', 'tests', 'test/total.test.js'],
  ['Add tests for slug', 'snapshots', 'test/slug.snap'],
];

it.each(ASKED)('asked: %s (%s)', (task, thing, path) => {
  expect(asksToChange(task, thing, path)).toBe(true);
});

it.each(NOT_ASKED)('not asked: %s (%s)', (task, thing, path) => {
  expect(asksToChange(task, thing, path)).toBe(false);
});

it.each([
  'Skip the test of links on Windows, where they need rights',
  'Skip TestMany in short mode',
  'Ignore the slow test `big` by default; CI runs it with --include-ignored',
  'Mark the tests that need a database as `db` and leave them out unless asked for with -m db',
  'The integration tests are only built with the tag integration',
  'Run only the quick tests by default',
  'Quarantine the flaky test of uploads',
  'The tests of the network are excluded by default',
  'Put the test of Gross behind the build tag slow',
])('asked to skip: %s', (task) => {
  expect(asksToSkip(task)).toBe(true);
});

it.each([
  'Fix the failing test of clamp',
  "Correct the rounding. Don't skip tests.",
  'Fix the sum without skipping or disabling tests',
  'Ignore the case of letters, so that the test of names passes',
  'Mark paid orders as done; the tests are red',
  'The tests must not be skipped: correct the sum',
  'Leave out empty lines when the parser is tested',
])('not asked to skip: %s', (task) => {
  expect(asksToSkip(task)).toBe(false);
});

it.each([
  'src/cli.js prints on purpose: switch no-console off for it',
  'Turn the check of unused names off in generated code',
  'Leave src/generated out of the linter',
  'Silence the warning of pkg_resources',
  'Allow `any` in src/legacy',
  'Vendor code is not linted',
  'Do not fail CI on warnings',
  'CI continues when the upload of coverage fails',
  'Relax max-lines to 400',
  'no-console is a warning and no error',
  'Downgrade no-alert to a warning',
  'The build on Rust beta may fail',
])('asked to silence: %s', (task) => {
  expect(asksToSilence(task)).toBe(true);
});

it.each([
  'Fix the errors of eslint in src/cli.js',
  'Fix the warnings of tsc, and do not disable rules',
  'Fix the type errors without ignoring any',
  'No file in src calls eval',
  'Accept an empty list',
  'Fix the warnings, they must not become errors',
  'Requests may fail: send them again',
  'Add an option to warn users',
  'Allow spaces in names',
])('not asked to silence: %s', (task) => {
  expect(asksToSilence(task)).toBe(false);
});

it.each([
  'The performance test is too strict for CI: allow 500 ms',
  'The tests of errors compare whole messages, which is brittle: look for the code alone',
  'Loosen the assertions of the layout',
])('asked to loosen tests: %s', (task) => {
  expect(asksToLoosenTests(task)).toBe(true);
});

it.each([
  'Fix the failing test of clamp',
  'The parser is too strict: accept a comma at the end, and test it',
  "Correct the rounding. Don't loosen the tests.",
])('not asked to loosen tests: %s', (task) => {
  expect(asksToLoosenTests(task)).toBe(false);
});
