import { focuses, groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { one, SLASHES, TRIPLE } from './syntax.ts';

export const language: Language = {
  files: {
    settings: /(?:^|\/)(?:dart_test|analysis_options|build)\.yaml$/,
  },
  packages: {
    manifests: /^pubspec\.yaml$/,
    locks: [{ file: 'pubspec.lock' }],
    hosts: [[['pubspec.yaml'], ['pub.dev']]],
  },
  outputs: { folders: ['.dart_tool'] },
  checkers: ['flutter', 'dart'],
  variables: ['FLUTTER_TEST'],
  uncovered: { comment: /\bcoverage:ignore/gi },
  code: {
    dart: {
      endings: 'dart',
      ...SLASHES,
      strings: [...TRIPLE, one('"'), one("'")],
      headers: [/(?<![.\w])(?:test|testWidgets|blocTest(?:<[^>]*>)?)\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)')/g],
      idioms: [
        ...skips(
          /\btags\s*:\s*\[?\s*['"](?:skip\w*|disabled|broken|flaky)['"]/g,
          /\bskip\s*:\s*(?!false|null)[\w'"]/g,
          /@Skip\b/g,
          /\bmarkTestSkipped\s*\(/g,
        ),
        ...focuses(/\bsolo\s*:\s*true\b|(?<![.\w])solo_?(?:test|group)\s*\(/gi),
        ...groups(/\btags\s*:\s*\[?\s*['"]NAME/),
      ],
      rewritesOutcome: /\bexit\s*\(\s*0\s*\)/g,
    },
  },
};
