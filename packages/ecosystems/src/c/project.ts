import { testGate } from '../project.ts';
import type { Project } from '../protocol.ts';

/** Detects a CMake project, whose gate builds beside the sources and shows the output of failing tests. */
export const cmake: Project = {
  name: 'cmake',
  detect: (files) =>
    /^\s*(?:enable_testing|include\s*\(\s*CTest)\b/im.test(files.read('CMakeLists.txt') ?? '')
      ? {
          gates: [
            testGate(
              'ctest',
              'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
            ),
          ],
          notes: [],
        }
      : null,
  settings: [
    {
      programs: /^ctest$/,
      files: ['CTestCustom.cmake', 'CTestConfig.cmake'],
      part: null,
      vacuous: /CTEST_CUSTOM_(?:TESTS_IGNORE|MAXIMUM_\w+)/,
      why: 'leaves tests out',
    },
  ],
};

/** Detects a Bazel project. Its files don't show which targets are tests. */
export const bazel: Project = {
  name: 'bazel',
  detect: () => null,
  settings: [
    {
      programs: /^bazel(?:isk)?$/,
      files: ['.bazelrc', 'user.bazelrc'],
      part: /^\s*(?:test|build|common)\b.*(?:test|build|keep_going).*$/m,
      vacuous: /--(?:nobuild|noanalyze|test_filter|test_tag_filters|build_tests_only)\b/,
      why: 'leaves tests out',
    },
  ],
};
