export { HELPER, siblingOf } from './canary.ts';
export { type CodeLanguage, languageOf } from './code/language-of.ts';
export {
  beginsValue,
  type Code,
  endOf,
  endOfStatement,
  endsValue,
  isFirst,
  isKeyword,
  isSpaced,
  isText,
  readCode,
} from './code/read-code.ts';
export { type Token, tokenize } from './code/tokenize.ts';
export { type Names, placed, wordsIn } from './exported.ts';
export { moduleFiles, nameReader } from './exported-by.ts';
export {
  type FileRole,
  incidentalTo,
  isCollected,
  isDocument,
  isLock,
  isManifest,
  isProductData,
  isTestData,
  isTestFile,
  kindOf,
  roleOf,
} from './file-role.ts';
export { HOME_CACHES, TOOL_SETTINGS, TOOLCHAINS } from './homes.ts';
export type { Idiom } from './idiom.ts';
export {
  ASKS_FOR_TESTS,
  CHECKERS,
  EQUIVALENT_CHECKERS,
  LOCK_FILES,
  PACKAGE_HOSTS,
  PROGRAMS,
  RECEIVERS,
  REWRITES_SNAPSHOTS,
  TEST_CODE,
  TEST_LISTS,
  TEST_VARIABLES,
  TOOL_CACHES,
  UNCOVERED,
} from './languages/index.ts';
export { ANY_ERROR, ANY_TEXT, BOOLEAN, EXACT, LOOSE_VALUES, MATCHERS, NOISE, THROWS } from './matchers.ts';
export { memberFolders, runsScript } from './node/project.ts';
export { formOf } from './node/script.ts';
export { printedNothing } from './nothing-ran.ts';
export { hadNothingToStart } from './nothing-to-start.ts';
export { firstFile, within } from './project.ts';
export { PROJECTS } from './projects.ts';
export type { FoundGate, GateKind, LanguageName, Reading, SeenFiles } from './protocol.ts';
export { ranNone, readInTurn, sumOf } from './reading.ts';
export { resolvedPath } from './relative-path.ts';
export { cobertura, istanbul, lcov, printedCoverage } from './reports/coverage.ts';
export { DISTINCT_NAMES, RUNNER_NAMES, RUNNERS } from './runners.ts';
export { startsTests, testsStartAt } from './starts-tests.ts';
export { SUPPRESSED, SUPPRESSING_COMMENTS, withoutNewSuppressions } from './suppressions.ts';
export {
  builtFrom,
  holdsPackages,
  isCargoTarget,
  isEnvironment,
  isInstalled,
  toolOutputOf,
  toolOutputsIn,
} from './tool-outputs.ts';
