import { boost } from './c/boost.ts';
import { catch2 } from './c/catch2.ts';
import { check } from './c/check.ts';
import { cmocka } from './c/cmocka.ts';
import { cpputest } from './c/cpputest.ts';
import { criterion } from './c/criterion.ts';
import { ctest } from './c/ctest.ts';
import { doctest } from './c/doctest.ts';
import { gtest } from './c/gtest.ts';
import { kyua } from './c/kyua.ts';
import { meson } from './c/meson.ts';
import { clojureTest } from './clojure/clojure-test.ts';
import { exunit } from './elixir/exunit.ts';
import { eunit } from './erlang/eunit.ts';
import { goTest } from './go/go-test.ts';
import { gotestsum } from './go/gotestsum.ts';
import { hspec } from './haskell/hspec.ts';
import { tasty } from './haskell/tasty.ts';
import { fiveam } from './lisp/fiveam.ts';
import { busted } from './lua/busted.ts';
import { luaunit } from './lua/luaunit.ts';
import { ava } from './node/ava.ts';
import { brittle } from './node/brittle.ts';
import { bun } from './node/bun.ts';
import { cucumber } from './node/cucumber.ts';
import { deno } from './node/deno.ts';
import { japa } from './node/japa.ts';
import { jasmine } from './node/jasmine.ts';
import { jest } from './node/jest.ts';
import { karma } from './node/karma.ts';
import { lab } from './node/lab.ts';
import { mocha } from './node/mocha.ts';
import { nodeTap } from './node/node-tap.ts';
import { nodeTest } from './node/node-test.ts';
import { playwright } from './node/playwright.ts';
import { poku } from './node/poku.ts';
import { qunit } from './node/qunit.ts';
import { tape } from './node/tape.ts';
import { tstyche } from './node/tstyche.ts';
import { uvu } from './node/uvu.ts';
import { vitest } from './node/vitest.ts';
import { taskRunner } from './nothing-ran.ts';
import { alcotest } from './ocaml/alcotest.ts';
import { octave } from './octave/octave.ts';
import { fpcunit } from './pascal/fpcunit.ts';
import { prove } from './perl/prove.ts';
import { phpunit } from './php/phpunit.ts';
import type { Runner } from './protocol.ts';
import { behave } from './python/behave.ts';
import { pytest } from './python/pytest.ts';
import { stestr } from './python/stestr.ts';
import { trial } from './python/trial.ts';
import { unittest } from './python/unittest.ts';
import { testthat } from './r/testthat.ts';
import { junit } from './reports/junit.ts';
import { tap } from './reports/tap.ts';
import { minitest } from './ruby/minitest.ts';
import { rspec } from './ruby/rspec.ts';
import { testUnit } from './ruby/test-unit.ts';
import { cargo } from './rust/cargo.ts';
import { nextest } from './rust/nextest.ts';
import { srfi64 } from './scheme/srfi-64.ts';
import { bats } from './shell/bats.ts';
import { shunit2 } from './shell/shunit2.ts';
import { tcltest } from './tcl/tcltest.ts';
import { workspaces } from './workspaces.ts';

const OF_ONE_PACKAGE: readonly Runner[] = [
  junit,
  // Output of these runners could be read as the end of a TAP stream above it.
  bats,
  shunit2,
  srfi64,

  japa,
  vitest,
  tstyche,
  jest,
  mocha,
  ava,
  uvu,
  jasmine,
  bun,
  deno,
  playwright,
  cucumber,
  poku,
  nodeTest,
  tape,
  qunit,
  brittle,
  nodeTap,
  nextest,
  cargo,
  pytest,
  trial,
  unittest,
  stestr,
  behave,
  hspec,
  rspec,
  minitest,
  testUnit,
  gotestsum,
  goTest,
  ctest,
  meson,
  gtest,
  cmocka,
  check,
  doctest,
  catch2,
  boost,
  taskRunner,
  phpunit,
  prove,
  exunit,
  eunit,
  busted,
  luaunit,
  testthat,
  octave,
  tcltest,
  fiveam,
  clojureTest,
  fpcunit,
  lab,
  karma,
  tasty,
  alcotest,
  kyua,
  cpputest,
  criterion,
  tap,
];

/** Runners in the order of recognition, most certain first. */
export const RUNNERS: readonly Runner[] = [...workspaces(OF_ONE_PACKAGE), ...OF_ONE_PACKAGE];

/** Values for `[gates] parses`. */
export const RUNNER_NAMES: readonly string[] = RUNNERS.map(({ name }) => name);

/** Names that have no other meaning in code and text. */
export const DISTINCT_NAMES: readonly string[] = RUNNERS.filter(({ isDistinct }) => isDistinct === true).map(
  ({ name }) => name,
);
