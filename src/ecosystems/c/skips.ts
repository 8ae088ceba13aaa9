import { type Idiom, skips } from '../idiom.ts';

export const CPP_SKIPS: readonly Idiom[] = skips(
  /\bGTEST_SKIP(?:_)?\b/g,
  /\bDISABLED_\w+/g,
  /\bSKIP\s*\(/g,
  /\[(?:!mayfail|!shouldfail|\.|!hide|\.hide)\]/g,
  /\bboost::unit_test::disabled\b|\*\s*(?:utf|boost::unit_test)::(?:disabled|expected_failures)/g,
  /^[ \t]*#if\s+(?:0|false)\b/gm,
  /doctest::(?:skip|may_fail|should_fail)\b/g,
  /\bQSKIP\s*\(/g,
);
