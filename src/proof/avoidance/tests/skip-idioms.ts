import type { LanguageName } from '../../../lib/code/languages.ts';

export type Idiom = {
  readonly kind: 'skip_added' | 'focus_added';
  readonly pattern: RegExp;
  /** It's a directive in a comment. */
  readonly comment?: true;
  /** It only says in which runs a test has a part: of a new test it's no loss. */
  readonly group?: true;
};

const skips = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'skip_added', pattern }));
const focuses = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'focus_added', pattern }));

const directives = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'skip_added', pattern, comment: true }));
/** Groups that the usual run leaves out; `NAME` in a pattern stands for one of them. */
const groups = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map(({ source }) => ({
    kind: 'skip_added',
    pattern: new RegExp(source.replace('NAME', ASIDE), 'gim'),
    group: true,
    ...(source.includes('@group') || source.includes('bats') ? { comment: true as const } : {}),
  }));
const ASIDE =
  '(?:skip\\w*|ignored?|disabled?|broken|quarantined?|flaky|unstable|slow\\w*|nightly|weekly|manual|wip|pending|excluded?|known_?(?:failure|issue)s?|expensive|heavy|later)\\b';

const JAVA: readonly Idiom[] = [
  ...skips(
    /@(?:Disabled|Ignore|Ignored)\b(?:\([^)]*\))?/g,
    /@EnabledIf\w*\s*\([^)]*\)|@DisabledIf\w*\s*\([^)]*\)|@DisabledInNativeImage\b/g,
    /\b(?:assumeTrue\s*\(\s*false|assumeFalse\s*\(\s*true|Assumptions\.abort|assumeThat\s*\()/g,
    /\bassum(?:e|ing)(?:True|False|That)?\s*\([^)]*\)/g,
    /\benabled\s*=\s*false\b/g,
    /@Test\s*\(\s*expected\s*=/g,
    /throw\s+new\s+(?:Skip|TestAbort(?:ed)?|AssumptionViolated)\w*Exception/g,
    /@(?:Enabled|Disabled)On(?:Os|OS)\s*\([^)]*\)/g,
  ),
  ...groups(
    /@Tag\s*\(\s*"NAME/,
    /@Category\s*\(\s*\{?\s*(?:\w+\.)*NAME/,
    /@Test\s*\([^)\n]*\bgroups\s*=\s*\{?\s*"NAME/,
  ),
];

/** What keeps a test from running, or the others. By language, as code: quoted idioms don't match. */
export const IDIOMS: Readonly<Partial<Record<LanguageName, readonly Idiom[]>>> = {
  js: [
    ...skips(
      /(?<![.\w$])(?:it|test|describe|specify|context|suite|fixture)(?:\s*\.\s*\w+(?:\([^()]*\))?)*\s*\.\s*(?:skip|todo|fails|failing|fixme|skipIf|runIf|pend)\b(?:\s*\([^()]*\))?/g,
      /(?<![.\w$])x(?:it|test|describe|context|specify|scenario)\s*[.(]/g,
      /(?<![.\w$])(?:pending|skip|markAsPending|xskip)\s*\(\s*(?!\d)/g,
      /\b(?:this|t|ctx|context|self|testInfo|test|tc)\s*\.\s*(?:skip|todo|fixme|pending)\s*\(|\b(?:test|testInfo)\s*\.\s*fail\s*\(/g,
      /\.(?:each|for)\s*\(\s*\[\s*\]\s*\)|(?<![\w.])(?:false|0)\s*&&\s*(?:it|test|describe)\b/g,
      /\b(?:skip|todo|fails|fixme)\s*:\s*(?!(?:false|undefined|null|boolean|string|number|unknown)\b)[\w'"`!]/g,
    ),
    ...focuses(
      /(?<![.\w$])(?:it|test|describe|specify|context|suite|fixture)(?:\s*\.\s*\w+(?:\([^()]*\))?)*\s*\.\s*only\b/g,
      /(?<![.\w$])(?:fit|fdescribe|ftest|fcontext|iit|ddescribe)\s*(?:\(\s*["'`]|\.\s*each\b)/g,
      /\bonly\s*:\s*true\b/g,
    ),
    ...groups(/\btags?\s*:\s*\[?\s*["']@?NAME/),
  ],
  python: skips(
    /@pytest\.mark\.parametrize\([^()\n]*,\s*\[\s*\]\s*[,)]/g,
    /@pytest\.fixture\b[^\n]*\n[ \t]*(?:async[ \t]+)?def[ \t]+test_/g,
    /\braise\s+pytest\.skip\.Exception\b/g,
    /@(?:pytest\.)?mark\.(?:skip|xfail)\b(?!if)(?:\((?:[^()]|\([^()]*\))*\))?/g,
    /@(?:pytest\.)?mark\.skipif\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
    /(?<!@)(?:pytest\.)?mark\.(?:skip|xfail|skipif)\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
    /\bpytest\.(?:skip|xfail|importorskip|exit)\s*\((?:[^()]|\([^()]*\))*\)/g,
    /(?<![.\w])(?:skip|xfail)\s*\(\s*(?:"|'|reason|\))/g,
    /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
    /\bself\.skipTest\s*\(/g,
    /\braise\s+(?:unittest\.)?(?:SkipTest|Skipped)\b/g,
    /\bcollect_ignore(?:_glob)?\s*(?:\+?=|\.(?:append|extend)\()\s*\[?\s*["'\w]/g,
    /\b__test__\s*=\s*False\b|\b__unittest_skip__\s*=\s*True\b/g,
    /@(?:nottest|nose\.tools\.nottest)\b/g,
  ).concat(groups(/@(?:pytest\.)?mark\.(?!skip)NAME/)),
  go: skips(
    /\b(?:t|b|f|tb|s|suite)\.(?:Skip|Skipf|SkipNow|T\(\)\.Skip\w*)\s*\(/g,
    /(?<![\w.])(?:Skip|XIt|XDescribe|PIt|PDescribe|XContext|PContext)\s*\(/g,
  ).concat(
    focuses(/(?<![\w.])(?:FIt|FDescribe|FContext|FEntry)\s*\(/g),
    directives(/\/\/(?:go:build| ?\+build)\s+[^\n]+/g),
  ),
  rust: skips(
    /#\[ignore\b[^\]]*\]/g,
    /#!?\[cfg\((?:any\(\)|not\(test\)|FALSE|false|feature\s*=\s*"[^"]*"|all\(test,\s*(?:any\(\)|feature[^)]*)\))\)\]/g,
    /#!?\[cfg\((?!(?:test|unix|windows|miri|loom|fuzzing|docsrs|doc|debug_assertions|panic|not|any|all|feature|target_\w+|cfg)\b)\w+\)\]|#\[cfg\(target_\w+\s*=\s*"none"\)\]/g,
    /#\[cfg_attr\([^\]]*\bignore\b[^\]]*\]/g,
    /#\[should_panic\b[^\]]*\]/g,
    /#!?\[cfg\((?=[^\]\n]*(?:target_|\bunix\b|\bwindows\b))[^\]\n]*\)\]/g,
  ),
  java: JAVA,
  kotlin: [
    ...JAVA,
    ...skips(
      /(?<![.\w])x(?:test|it|describe|context|should|given|when|then|feature|scenario|expect)\s*\(/g,
      /(?<![\w)\]])"!\s*[^"\n]*"\s*(?:\.config|\{)/g,
      /\.config\s*\([^)]*enabled\s*=\s*false/g,
      /enabledIf\s*=\s*\{\s*false/g,
    ),
    ...focuses(/(?<![\w)\]])"f:[^"\n]*"\s*(?:\.config|\{)/g),
  ],
  csharp: skips(
    /\[[^\]\n]*\bExplicit\s*=\s*true[^\]\n]*\]/g,
    /^[ \t]*#if\s+(?:false|NEVER|DISABLED\w*|SKIP\w*|BROKEN|TODO)\b/gm,
    /\[[^\]\n]*\b(?:Trait|Category|TestCategory|TestProperty)\s*\([^)\n]*"(?:Skip\w*|Ignored?|Disabled|Broken|Quarantined?|Flaky)"[^\]\n]*\]/gi,
    /\[[^\]\n]*\bSkip(?:When|Unless|Type)?\s*=\s*[^\]\n]*\]/g,
    /\[(?:\w+,\s*)*(?:Ignore|Explicit|SkippableFact\w*Skip)\b[^\]\n]*\]/g,
    /\bAssert\.(?:Ignore|Inconclusive|Pass|Skip\w*)\s*\(|\bSkip\.If(?:Not)?\s*\(|\bAssume\.That\s*\(\s*false/g,
    /\bIgnore(?:Reason)?\s*=\s*(?:"|true)/g,
    /\[(?:\w+,\s*)*(?:SkipOnPlatform|PlatformSpecific|Platform)\s*\([^\]\n]*\]/g,
  ).concat(groups(/\[[^\]\n]*\b(?:Trait|Category|TestCategory|TestProperty)\s*\([^)\n]*"NAME/)),
  ruby: [
    ...skips(
      /^[ \t]*(?:RSpec\.)?x(?:it|describe|context|specify|example|scenario|feature)\b/gm,
      /^[ \t]*(?:pending|skip)\b(?:[ (]|$)/gm,
      /\b(?:skip|pending)(?::|\s*=>)\s*(?!false|nil)[\w"']/g,
      /,\s*:(?:skip|pending|xfail)\b/g,
      /,\s*:?(?:if(?::|\s*=>)\s*(?:false|nil|ENV)|unless(?::|\s*=>)\s*(?:true|ENV))\b/g,
      /\bbefore(?:\([^)\n]*\))?\s*(?:\{|do\s*\n?)\s*(?:skip|pending)\b/g,
    ),
    ...focuses(
      /^[ \t]*(?:RSpec\.)?f(?:it|describe|context|specify|example|scenario)\b/gm,
      /,\s*(?::focus\b|focus(?::|\s*=>)\s*true)/g,
    ),
    ...groups(
      /^[ \t]*(?:it|describe|context|specify|scenario|feature)\b[^\n]*,\s*:(?!skip|pending)NAME/,
      /^[ \t]*(?:it|describe|context|specify|scenario|feature)\b[^\n]*,\s*(?!skip|pending)NAME(?::|\s*=>)\s*true/,
    ),
  ],
  php: [
    ...skips(
      /(?:->|::)(?:markTestSkipped|markTestIncomplete)\s*\(/g,
      /->(?:skip|todo|skipOn\w+|fails)\s*\(/g,
      /#\[Group\(\s*["'](?:skip\w*|ignored?|disabled|broken|quarantine|flaky)["']/gi,
      /#\[(?:Requires\w*|Ignore\w*|DoesNotPerformAssertions)\b[^\]]*\]/g,
      /(?<![>\w:$])(?:xit|xtest|xdescribe)\s*\(/g,
    ),
    ...focuses(/\)\s*->only\s*\(/g),
    ...directives(/@(?:requires[ \t]+\S[^\n*]*|doesNotPerformAssertions\b)/g),
    ...groups(/#\[Group\(\s*["']NAME/, /@group[ \t]+NAME/, /->group\s*\(\s*["']NAME/),
  ],
  swift: [
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
  cpp: skips(
    /\bGTEST_SKIP(?:_)?\b/g,
    /\bDISABLED_\w+/g,
    /\bSKIP\s*\(/g,
    /\[(?:!mayfail|!shouldfail|\.|!hide|\.hide)\]/g,
    /\bboost::unit_test::disabled\b|\*\s*(?:utf|boost::unit_test)::(?:disabled|expected_failures)/g,
    /^[ \t]*#if\s+(?:0|false)\b/gm,
    /doctest::(?:skip|may_fail|should_fail)\b/g,
    /\bQSKIP\s*\(/g,
  ),
  elixir: [
    ...skips(
      /@(?:module|describe)?tag\s+:?(?:skip|pending|ignore)\b/g,
      /@(?:module|describe)?tag\s+\[?\s*skip:/g,
      /@(?:module|describe)?tag\s+(?:exclude|disabled)/g,
    ),
    ...focuses(/@(?:module|describe)?tag\s+:?focus\b/g),
    ...groups(/@(?:module|describe)?tag\s+:?(?!skip|pending|ignore|exclude|disabled)NAME/),
  ],
  dart: [
    ...skips(
      /\btags\s*:\s*\[?\s*['"](?:skip\w*|disabled|broken|flaky)['"]/g,
      /\bskip\s*:\s*(?!false|null)[\w'"]/g,
      /@Skip\b/g,
      /\bmarkTestSkipped\s*\(/g,
    ),
    ...focuses(/\bsolo\s*:\s*true\b|(?<![.\w])solo_?(?:test|group)\s*\(/gi),
    ...groups(/\btags\s*:\s*\[?\s*['"]NAME/),
  ],
  scala: skips(
    /^[ \t]*ignore\b/gm,
    /(?:"|\))\s*ignore\s*\{/g,
    /(?<![.\w])ignore\s*\(/g,
    /\b(?:pending|cancel|pendingUntilFixed)\b/g,
    /\bassume\s*\(\s*false/g,
    /@Ignore\b/g,
    /\.ignore\b|\.fail\b(?=\)|\s*\{)|taggedAs\s*\(?\s*(?:Ignore|Slow|Disabled)\b/g,
    /@@\s*TestAspect\.ignore\b|\bTestAspect\.ignore\b/g,
  ),
  shell: skips(/^[ \t]*skip\b/gm, /^[ \t]*startSkipping\b/gm).concat(groups(/bats test_tags=\S*NAME/)),
};
