import { groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, one, SLASHES } from './syntax.ts';

export const language: Language = {
  files: {
    settings: /\.(?:csproj|vbproj|fsproj|props|targets|runsettings|ruleset|globalconfig)$/,
  },
  packages: { manifests: null, locks: [{ file: 'packages.lock.json' }], hosts: [] },
  checkers: ['dotnet test'],
  programs: 'dotnet',
  asksForTests: [
    /\bAppDomain\b[^\n]*(?:xunit|nunit|test)/gi,
    /\bUnitTest\w*\.\w*(?:Running|Active|InTest)\w*/g,
  ],
  uncovered: { code: /\[ExcludeFromCodeCoverage\b/g },
  code: {
    csharp: {
      endings: 'cs fs vb',
      ...SLASHES,
      strings: [
        many('"""', false),
        { open: '@"', close: '"', escapes: false, lines: true },
        one('"'),
        one("'"),
      ],
      headers: [
        /\[(?:\w+,\s*)*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b[^\]]*\](?:\s*\[[^\]]*\])*\s*(?:(?:public|private|internal|async|static|void|Task(?:<\w+>)?)\s+)+(\w+)\s*\(/g,
      ],
      idioms: skips(
        /\[[^\]\n]*\bExplicit\s*=\s*true[^\]\n]*\]/g,
        /^[ \t]*#if\s+(?:false|NEVER|DISABLED\w*|SKIP\w*|BROKEN|TODO)\b/gm,
        /\[[^\]\n]*\b(?:Trait|Category|TestCategory|TestProperty)\s*\([^)\n]*"(?:Skip\w*|Ignored?|Disabled|Broken|Quarantined?|Flaky)"[^\]\n]*\]/gi,
        /\[[^\]\n]*\bSkip(?:When|Unless|Type)?\s*=\s*[^\]\n]*\]/g,
        /\[(?:\w+,\s*)*(?:Ignore|Explicit|SkippableFact\w*Skip)\b[^\]\n]*\]/g,
        /\bAssert\.(?:Ignore|Inconclusive|Pass|Skip\w*)\s*\(|\bSkip\.If(?:Not)?\s*\(|\bAssume\.That\s*\(\s*false/g,
        /\bIgnore(?:Reason)?\s*=\s*(?:"|true)/g,
        /\[(?:\w+,\s*)*(?:SkipOnPlatform|PlatformSpecific|Platform)\s*\([^\]\n]*\]/g,
      ).concat(groups(/\[[^\]\n]*\b(?:Trait|Category|TestCategory|TestProperty)\s*\([^)\n]*"NAME/)),
      rewritesOutcome: /\bEnvironment\.Exit\s*\(\s*0\s*\)/g,
    },
  },
};
