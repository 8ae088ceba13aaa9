import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { one, SLASHES } from './syntax.ts';

export const language: Language = {
  files: {
    tests: /[._-]unittest\.\w+$/,
    settings:
      /(?:^|\/)(?:CMakeLists\.txt|meson\.build|BUILD(?:\.bazel)?|\.clang-tidy|\.bazelrc|CTest\w+\.cmake)$/,
  },
  lists: [
    {
      files: /(?:^|\/)(?:CMakeLists\.txt|CTestTestfile\.cmake|[^/]+\.cmake)$/,
      names:
        /\b(?:add_test\s*\(\s*(?:NAME\s+)?|(?:gtest|catch|doctest)_(?:discover_tests|add_tests)\s*\(\s*(?:TARGET\s+)?)"?([\w.:+-]+)/g,
      idioms: skips(
        /\b(?:DISABLED|WILL_FAIL)\s+"?(?:TRUE|ON|1|YES|Y)\b/gi,
        /\bSKIP_(?:RETURN_CODE|REGULAR_EXPRESSION)\s+\S/g,
        /\bCTEST_CUSTOM_TESTS_IGNORE\s+\S/g,
        /\bTEST_FILTER\s+"?-/g,
      ),
    },
    {
      files: /(?:^|\/)meson\.build$/,
      names: /(?<![.\w])test\s*\(\s*'([^'\n]+)'/g,
      idioms: skips(/\bshould_fail\s*:\s*true\b/g),
    },
    {
      files: /(?:^|\/)BUILD(?:\.bazel)?$/,
      names: /\b\w+_test\s*\(\s*name\s*=\s*"([^"\n]+)"/g,
      idioms: skips(/\btags\s*=\s*\[[^\]]*"(?:manual|notap|flaky|broken|disabled)"/g),
    },
  ],
  outputs: { folders: ['.ccls-cache'] },
  checkers: ['ctest'],
  programs: 'make cmake ninja gcc clang',
  variables: ['GTEST_\\w+', 'TEST_WORKSPACE'],
  uncovered: { comment: /\bLCOV_EXCL|\bGCOVR?_EXCL/gi },
  code: {
    cpp: {
      endings: 'c cc cpp cxx h hh hpp hxx cu',
      ...SLASHES,
      strings: [{ open: 'R"(', close: ')"', escapes: false, lines: true }, one('"')],
      characters: true,
      headers: [
        /^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+\s*,\s*\w+)\s*\)/gm,
        /^[ \t]*(?:TEST_CASE|SCENARIO|SECTION|TEST_CASE_METHOD|SUBCASE)\s*\(\s*(?:\w+\s*,\s*)?"([^"\n]*)"/gm,
        /^[ \t]*BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\s*\(\s*(\w+)/gm,
      ],
      idioms: skips(
        /\bGTEST_SKIP(?:_)?\b/g,
        /\bDISABLED_\w+/g,
        /\bSKIP\s*\(/g,
        /\b(?:TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)\s*\([^)\n]*\[(?:!mayfail|!shouldfail|\.\w*|!hide)\]/g,
        /\bTEST_IGNORE(?:_MESSAGE)?\s*\(|(?<![.\w>:])skip\s*\(\s*\)/g,
        /\bboost::unit_test::disabled\b|\*\s*(?:utf|boost::unit_test)::(?:disabled|expected_failures)/g,
        /^[ \t]*#if\s+(?:0|false)\b/gm,
        /doctest::(?:skip|may_fail|should_fail)\b/g,
        /\bQSKIP\s*\(/g,
      ),
      rewritesOutcome:
        /\b_?exit\s*\(\s*0\s*\)|\bquick_exit\s*\(\s*0|#define\s+NDEBUG\b|#define\s+(?:assert|EXPECT|ASSERT|REQUIRE|CHECK)_?\w*\s*\([^)\n]*\)(?!(?:[^\n]|\\\n){0,600}?(?:\b(?:exit|abort|return|throw|fail\w*|assert\w*)\b|\+\+))/g,
      endsWell: /\batexit\s*\([^\n]*\b_?[eE]xit\s*\(\s*0/g,
    },
  },
};
