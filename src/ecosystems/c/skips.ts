import { type Idiom, skips } from '../idiom.ts';

export const CPP_SKIPS: readonly Idiom[] = skips(
  /\bGTEST_SKIP(?:_)?\b/g,
  /\bDISABLED_\w+/g,
  /\bSKIP\s*\(/g,
  /\b(?:TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)\s*\([^)\n]*\[(?:!mayfail|!shouldfail|\.\w*|!hide)\]/g,
  /\bTEST_IGNORE(?:_MESSAGE)?\s*\(|(?<![.\w>:])skip\s*\(\s*\)/g,
  /\bboost::unit_test::disabled\b|\*\s*(?:utf|boost::unit_test)::(?:disabled|expected_failures)/g,
  /^[ \t]*#if\s+(?:0|false)\b/gm,
  /doctest::(?:skip|may_fail|should_fail)\b/g,
  /\bQSKIP\s*\(/g,
);
