import { focuses, groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, one, SLASHES } from './syntax.ts';

export const language: Language = {
  files: {
    settings: /(?:^|\/)\.swiftlint\.yml$|\.xctestplan$/,
  },
  packages: {
    manifests: /^(?:Package\.swift|Podfile)$/,
    locks: [{ file: 'Package.resolved' }, { file: 'Podfile.lock' }],
    hosts: [],
  },
  checkers: ['swiftlint', 'xcodebuild'],
  programs: 'swift',
  variables: ['XCTestConfigurationFilePath', 'XCTestSessionIdentifier'],
  asksForTests: [/\bNSClassFromString\s*\(\s*@?"XCTest/g],
  code: {
    swift: {
      endings: 'swift m mm',
      ...SLASHES,
      strings: [many('"""'), one('"')],
      headers: [
        /^[ \t]*(?:(?:override|public|private|final|@MainActor)\s+)*func\s+(test\w*)\s*\(/gm,
        /@Test\b(?:\([^{]*?\))?\s*(?:\w+\s+)*?func\s+(\w+)/g,
      ],
      idioms: [
        ...skips(
          /\bXCTSkip(?:If|Unless)?\s*\(/g,
          /\.disabled\s*(?:\(|\))|\.enabled\s*\(\s*if:\s*false\b/g,
          /^[ \t]*#if\s+(?:false|NEVER|DISABLED\w*|SKIP\w*)\b/gm,
          /\bwithKnownIssue\b|\bXCTExpectFailure\b/g,
          /(?<![.\w])(?:xit|xdescribe|xcontext|pending)\s*\(/g,
        ),
        ...focuses(/(?<![.\w])(?:fit|fdescribe|fcontext)\s*\(\s*"/g),
        ...groups(/\.tags\s*\([^)\n]*\.NAME/),
      ],
      rewritesOutcome: /\bexit\s*\(\s*0\s*\)/g,
    },
  },
};
