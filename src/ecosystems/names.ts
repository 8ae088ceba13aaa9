/**
 * What every runner is called: what `[gates] parses` may name. Settings are read at each start, and only these words are needed for it, none
 * of the readers.
 */
export const RUNNER_NAMES = [
  'turbo',
  'pnpm',
  'junit',
  'bats',
  'shunit2',
  'srfi-64',
  'vitest',
  'tstyche',
  'jest',
  'mocha',
  'ava',
  'uvu',
  'jasmine',
  'bun',
  'deno',
  'playwright',
  'cucumber',
  'poku',
  'node',
  'tape',
  'qunit',
  'brittle',
  'node-tap',
  'nextest',
  'cargo',
  'pytest',
  'unittest',
  'stestr',
  'behave',
  'rspec',
  'minitest',
  'test-unit',
  'go',
  'ctest',
  'gtest',
  'cmocka',
  'check',
  'doctest',
  'catch2',
  'phpunit',
  'prove',
  'exunit',
  'eunit',
  'busted',
  'testthat',
  'octave',
  'tcltest',
  'fiveam',
  'fpcunit',
  'tap',
] as const;

export type RunnerName = (typeof RUNNER_NAMES)[number];

const WORDS =
  /^(?:turbo|pnpm|bats|ava|jasmine|bun|deno|playwright|cucumber|brittle|node|tape|go|check|prove|behave|busted|octave|tap|cargo|catch2|.*-.*)$/;
/** Names that mean nothing else in code. */
export const DISTINCT_NAMES: readonly string[] = RUNNER_NAMES.filter((name) => !WORDS.test(name));
