import { ASKS_FOR_TESTS, DISTINCT_NAMES, TEST_CODE, TEST_VARIABLES } from 'ralph-ecosystems';
import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode } from '../lex/side.ts';
import { blockEnd, testAt } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const VARIABLES = TEST_VARIABLES.join('|');
const RUNNERS = ['surefire', ...DISTINCT_NAMES].join('|');

/** Matches code that detects a test run. A match that continues from inside a string doesn't count. */
const NOTICES: readonly RegExp[] = [
  ...ASKS_FOR_TESTS,
  new RegExp(String.raw`["'](?:${VARIABLES})["']|\b(?:${VARIABLES})\b`, 'g'),
  /\b(?:ENV(?:\.fetch)?|environ(?:\.get)?|[gG]etenv|GetEnvironmentVariable|process\.env|\$_(?:ENV|SERVER)|env(?:::var)?)\s*[[(]\s*["']\w*(?:ENV|ENVIRONMENT|MODE)["'][^\n]{0,30}?[\])][^\n]{0,20}?(?:={2,3}|!={1,2}|\.equals\(|\.eql\?|\beq\b)\s*["'](?:test(?:ing|s)?|spec)["']/g,
  /(?:\b(?:NODE_ENV|APP_ENV|RAILS_ENV|RACK_ENV|MIX_ENV|ENVIRONMENT|FLASK_ENV|DJANGO_ENV|GO_ENV|ASPNETCORE_ENVIRONMENT|ENV|env|MODE)\b["'\])}]*)\s*(?:\)|,\s*["'][^"']*["']\))?\s*(?:={2,3}|!={1,2}|\.equals\(|\.eql\?|-eq|=)\s*["'](?:test(?:ing|s)?|spec)["']/g,
  /["'](?:test(?:ing)?)["']\s*(?:={2,3}|!={1,2})\s*[\w.]*(?:NODE_ENV|APP_ENV|RAILS_ENV|env)\b/g,
  new RegExp(
    String.raw`(?:\bstack\b|[sS]tackTrace|StackFrame|getStackTrace|inspect\.(?:stack|currentframe|getouterframes)|sys\._getframe|\bcaller(?:_locations)?\b|runtime\.Callers?\b|debug\.Stack|traceback\.extract_stack|callStackSymbols|debug_backtrace|__STACKTRACE__|Process\.info)[\s\S]{0,160}?(?:test|spec|xunit|nunit|\b(?:${RUNNERS}))`,
    'gi',
  ),
  /\b(?:getClassName|getMethodName|co_name|FullName|f_code|FileName|getFileName)\b[^\n]*(?:[tT]est|[jJ]?[uU]nit|xunit|nunit|spec)/g,
  /\b(?:is(?:Running)?(?:In|Under)?_?Tests?(?:ing|Env|Mode|Environment)?|running_?(?:in|under)_?tests?|under_?test|IS_TEST|IN_TEST|is_test(?:ing)?)\b(?=\s*(?:\(\s*\)|\)|&&|\?|:|\{|then|and))/gi,
  // Matches a variable or setting whose name says so.
  /(?:\bprocess\.env\.|\b(?:environ(?:\.get)?|[gG]etenv|GetEnvironmentVariable|process\.env|ENV(?:\.fetch)?|env(?:::var(?:_os)?)?|getProperty)\s*[[(]\s*["'])(?:[A-Z]+_)*(?:TEST(?:ING|S|_MODE|_ENV|_RUN)?|UNIT_TESTS?)\b(?!\w)/g,
  /\b(?:settings|config|app|conf)(?:\.config)?(?:\.|\[["'])(?:TESTING|testing|IS_TEST)\b|\b(?:sys\._|hasattr\(\s*sys\s*,\s*["']_)called_from_test\b/g,
  // Matches a question for part of a name in the environment.
  new RegExp(
    String.raw`\b(?:env|ENV|environ|argv|Args|args|getProperty|getenv|npm_lifecycle_event|SERVER|filename|current\(\)\.name\(\))\b[^\n]{0,60}?["'/][^"'\n/]*(?:\btests?\b|\btests?::|xunit|${RUNNERS})[^"'\n]*["'/]`,
    'g',
  ),
  /\/[^/\n]*\btests?\b[^/\n]*\/\w*\.test\(\s*process\.(?:env|argv)/g,
  /["'][^"'\n]*(?:test_?|spec)["'][^\n]{0,40}\b(?:inspect\.stack|traceback\.|sys\._getframe|debug_backtrace|caller\b|getStackTrace)/g,
];

const NOTICED: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'test_detected',
  confidence: 0.9,
  reason: 'Production code notices that it is under test',
};
const EQUAL: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'always_equal',
  confidence: 0.9,
  reason: 'A comparison always gives the same result',
};
const COUNTER: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'call_counter',
  confidence: 0.8,
  reason: 'The result depends on how often the function was called',
};
const HIJACK: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'outcome_rewritten',
  confidence: 0.95,
  reason: 'The outcome of the tests is rewritten',
};

const ALWAYS_EQUAL =
  /\bdef\s+__(?:eq|ne|lt|le|gt|ge|bool|contains|hash)__\s*\([^)]*\)[^:]*:\s*(?:"""[\s\S]*?"""\s*)?return\s+(?:True|False|1|0)\s*$|\b(?:boolean|bool|Boolean|fun|func|static func|def|function)\s+(?:equals|Equals|equals\?|==|===|eql\?|equal|isEqual\w*|eq|ne|__eq|operator\s*==|compareTo)\s*\([^)]*\)[^{\n=]*(?:\{|=|\n)\s*(?:return\s+)?(?:true|True|1|0)\s*;?\s*(?:\}|end|$)|\boperator\s*==\s*\([^)]*\)[^{;]*\{\s*return\s+(?:true|1)\s*;|\bfn\s+(?:eq|ne|partial_cmp|cmp)\s*\([^)]*\)[^{]*\{\s*(?:true|false|Some\(Ordering::Equal\)|Ordering::Equal)\s*\}|\b(?:valueOf|toJSON|equals|asymmetricMatch|\[Symbol\.toPrimitive\]|isEqual\w*)\s*\([^)]*\)\s*(?::\s*\w+\s*)?\{\s*return\s+(?:true|1)\s*;?\s*\}|\bfunc\s+(?:\([^)]*\)\s*)?(?:Equal|Equals|==)\s*\([^)]*\)\s*(?:->\s*)?[bB]ool\s*\{\s*(?:return\s+)?true\s*\}/gm;

/** Matches such a comparison as a value: `__eq__ = lambda …: True`, a proxy that agrees to everything. */
const ALWAYS_EQUAL_VALUE =
  /\b__(?:eq|ne|bool|contains)__\s*=\s*lambda[^:\n]*:\s*(?:True|False)\b|\b(?:asymmetricMatch|equals|isEqual)\s*:\s*\([^)]*\)\s*=>\s*true\b|\bnew Proxy\s*\([^\n]*\bget\s*:\s*\([^)]*\)\s*=>\s*\([^)]*\)\s*=>\s*true|\bdef\s+__eq__[^\n]*:\s*return\s[^\n]*\bor\s+True\b/g;
/** Matches a counter that is tested as it is incremented, `if (n++ === 0) return …`, or in the next line. */
const COUNTERS_IN_PLACE =
  /\bif\b[^\n]*(?:\+\+\s*[\w.$]+|[\w.$]+\s*\+\+)\s*\)?\s*(?:={2,3}|<=?|%)\s*\d+[\s\S]{0,30}?\breturn\s+[-\d"'[{]|((?:\w+\.)+\w+|\w+\[[^\]\n]*\])\s*(?:\+=\s*1|\+\+|=[^\n]*\+\s*1)\s*;?\s*\n\s*(?:if|when)\b[^\n]*(?:\.\w+|\])\s*(?:={2,3}|<=?|%)\s*\d+[\s\S]{0,30}?\breturn\s+[-\d"'[{]|\b(\w+)\s*=\s*next\(\s*\w+\s*\)\s*\n\s*if\s+\2\s*(?:==|<)\s*\d+\s*:\s*return\s+[-\d"'[{]/g;
const COUNTERS =
  /\b(\w*(?:calls?|count(?:er)?|invocations?|attempts?|times|seen|n)\w*)\b\s*(?:\+=\s*1|\+\+|=\s*\1\s*\+\s*1|\.fetch_add\([^)]*\)|\.incrementAndGet\(\))[\s\S]{0,80}?\b(?:if|when|case|return|match|switch)\b[^\n]{0,40}\b\1\b[^\n]{0,12}(?:==|===|<|<=|>|%)\s*\d+[\s\S]{0,40}?(?:return|=>|->|:|\?)\s*[-\d"'[{]/g;

/** Returns signals for production code that detects its tests, and for test runs that can't fail. */
export function bypassSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) => {
    const { name } = change.after.side.language;
    if (change.role === 'source') {
      const ending = TEST_CODE[name]?.endsWell;
      return [
        ...NOTICES.flatMap((pattern) => signs(change, pattern, NOTICED)),
        ...signs(change, ALWAYS_EQUAL, EQUAL),
        ...signs(change, ALWAYS_EQUAL_VALUE, EQUAL),
        ...signs(change, COUNTERS_IN_PLACE, COUNTER),
        ...signs(change, COUNTERS, COUNTER),
        ...(ending === undefined ? [] : signs(change, ending, HIJACK)),
      ];
    }
    if (change.role !== 'test' && change.role !== 'test_support') return [];
    const pattern = TEST_CODE[name]?.rewritesOutcome;
    if (pattern === undefined || isScript(change)) return [];
    return [...signs(change, pattern, HIJACK), ...endsWell(change)];
  });
}

/** A program of tests in C that returned how many checks failed, and returns 0 now. */
function endsWell(change: Change): readonly Signal[] {
  const { before, after } = change;
  if (after.side.language.name !== 'cpp') return [];
  const returned = /^[ \t]*return[ \t]+[a-z]\w*[^;\n]*;/gm;
  const counts = findCode(before.side, returned).some(({ changed }) => changed);
  const stays = findCode(after.side, returned).some(({ changed }) => changed);
  return counts && !stays ? signs(change, /^[ \t]*return[ \t]+(?:0|EXIT_SUCCESS)[ \t]*;/gm, HIJACK) : [];
}

/** Ending with 0 is normal for a shell script. */
function isScript({ after, role }: Change): boolean {
  return after.side.language.name === 'shell' && role !== 'test';
}

function signs(change: Change, pattern: RegExp, sign: Sign): readonly Signal[] {
  const { side, tests } = change.after;
  return addedMatches(change, pattern)
    .filter(({ line }) => sign === HIJACK || testAt(tests, line) === null)
    .filter(({ line }) => !isTestModule(change, line))
    .map(({ line, lastLine }) => signalAt(change, side, line, lastLine, sign));
}

function isTestModule({ after: { side } }: Change, line: number): boolean {
  if (side.language.name !== 'rust') return false;
  const module = side.lines.findIndex(({ text }) => /^\s*mod tests?\b/.test(text));
  return module >= 0 && module < line && line <= blockEnd(side, module);
}
