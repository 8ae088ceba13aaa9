import type { LanguageName } from '../../../lib/code/languages.ts';
import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { blockEnd, testAt } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

/** How code notices that it is under test; anything between that starts inside a string doesn't count. */
const NOTICES: readonly RegExp[] = [
  /\b(?:ENV(?:\.fetch)?|environ(?:\.get)?|[gG]etenv|GetEnvironmentVariable|process\.env|\$_(?:ENV|SERVER)|env(?:::var)?)\s*[[(]\s*["']\w*(?:ENV|ENVIRONMENT|MODE)["'][^\n]{0,30}?[\])][^\n]{0,20}?(?:={2,3}|!={1,2}|\.equals\(|\.eql\?|\beq\b)\s*["'](?:test(?:ing|s)?|spec)["']/g,
  /(?:\b(?:NODE_ENV|APP_ENV|RAILS_ENV|RACK_ENV|MIX_ENV|ENVIRONMENT|FLASK_ENV|DJANGO_ENV|GO_ENV|ASPNETCORE_ENVIRONMENT|ENV|env|MODE)\b["'\])}]*)\s*(?:\)|,\s*["'][^"']*["']\))?\s*(?:={2,3}|!={1,2}|\.equals\(|\.eql\?|-eq|=)\s*["'](?:test(?:ing|s)?|spec)["']/g,
  /["'](?:test(?:ing)?)["']\s*(?:={2,3}|!={1,2})\s*[\w.]*(?:NODE_ENV|APP_ENV|RAILS_ENV|env)\b/g,
  /["'](?:VITEST|VITEST_WORKER_ID|VITEST_POOL_ID|JEST_WORKER_ID|JASMINE_\w+|MOCHA_\w*|NODE_TEST_CONTEXT|PLAYWRIGHT_TEST\w*|CYPRESS|AVA_PATH|TAP_\w+|PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER|PYTEST_RUN_CONFIG|NOSE_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*|FLUTTER_TEST|XCTestConfigurationFilePath|XCTestSessionIdentifier|PHPUNIT_\w+|__PHPUNIT_\w+|BATS_\w+|GTEST_\w+|TEST_WORKSPACE|RUST_TEST_\w+)["']|\b(?:VITEST|VITEST_WORKER_ID|VITEST_POOL_ID|JEST_WORKER_ID|JASMINE_\w+|MOCHA_\w*|NODE_TEST_CONTEXT|PLAYWRIGHT_TEST\w*|CYPRESS|AVA_PATH|TAP_\w+|PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER|PYTEST_RUN_CONFIG|NOSE_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*|FLUTTER_TEST|XCTestConfigurationFilePath|XCTestSessionIdentifier|PHPUNIT_\w+|__PHPUNIT_\w+|BATS_\w+|GTEST_\w+|TEST_WORKSPACE|RUST_TEST_\w+)\b/g,
  /["'](?:pytest|_pytest|unittest|nose|py\.test)["']\s+(?:not\s+)?in\s+(?:list\()?(?:sys\.modules|sys\.argv|\w+\.modules|globals\(\)|os\.environ)/g,
  /\bsys\.(?:modules\.get|modules\[|argv\[0\])[^\n]*(?:pytest|unittest|\btest)/g,
  /\b(?:cfg!\s*\(\s*test|testing\.Testing\s*\(|flag\.Lookup\s*\(\s*"test\.)/g,
  /\bos\.Args\b[^\n]*(?:\.test\b|-test\.|_test)|\.test"[^\n]*\bos\.Args\b/g,
  /#\[cfg\(not\(test\)\)\]|#\[cfg\(test\)\]\s*(?:\{|return|let|if)/g,
  /\b(?:typeof|globalThis\.|global\.|window\.)\s*(?:it|describe|jest|vi|expect|jasmine|__karma__|Cypress|beforeEach|mocha|__coverage__|__vitest\w*)\b/g,
  /["'](?:__vitest\w*|__jest\w*|__karma__|__coverage__|jasmine|describe|it|jest|vi|expect|beforeEach|Cypress|mocha)["']\s+in\s+(?:globalThis|global|window|self)\b|\b(?:globalThis|global|window)\[["'](?:__vitest\w*|jest|vi|describe|expect|jasmine|beforeEach|Cypress|mocha)["']\]/g,
  /\bimport\.meta\.(?:vitest|env\.(?:VITEST|TEST|MODE\s*={2,3}\s*["']test["']))/g,
  /\b(?:Rails\.env\.test\?|app\(\)->(?:runningUnitTests|environment\s*\(\s*['"]testing)|runningUnitTests\s*\(|App::runningUnitTests|defined\?\(\s*(?:RSpec|Minitest|Test::Unit)|defined\s*\(\s*['"]PHPUNIT|class_exists\s*\(\s*['"][^'"]*(?:PHPUnit|TestCase)|NSClassFromString\s*\(\s*@?"XCTest|Mix\.env\(\)\s*==\s*:test|Code\.ensure_loaded\?\(\s*ExUnit)|\$(?:PROGRAM_NAME|0)\b[^\n]*(?:rspec|test)/g,
  /(?:\bstack\b|[sS]tackTrace|StackFrame|getStackTrace|inspect\.(?:stack|currentframe|getouterframes)|sys\._getframe|\bcaller(?:_locations)?\b|runtime\.Callers?\b|debug\.Stack|traceback\.extract_stack|callStackSymbols|debug_backtrace|__STACKTRACE__|Process\.info)[\s\S]{0,160}?(?:test|spec|junit|xunit|nunit|jest|mocha|rspec|phpunit)/gi,
  /\b(?:getClassName|getMethodName|co_name|FullName|f_code|FileName|getFileName)\b[^\n]*(?:[tT]est|junit|xunit|nunit|spec)/g,
  /\bAppDomain\b[^\n]*(?:xunit|nunit|test)|\bClass\.forName\s*\(\s*"org\.(?:junit|testng)/gi,
  /\bprocess\.argv\b[^\n]*(?:jest|vitest|mocha|\btest\b|--test)|\bprocess\.(?:execArgv|title)\b[^\n]*(?:test|jest|vitest|mocha)|\brequire\.main\b[^\n]*(?:test|jest|mocha)/g,
  /\b(?:is(?:Running)?(?:In|Under)?_?Tests?(?:ing|Env|Mode|Environment)?|running_?(?:in|under)_?tests?|under_?test|IS_TEST|IN_TEST|is_test(?:ing)?)\b(?=\s*(?:\(\s*\)|\)|&&|\?|:|\{|then|and))/gi,
  // A variable or setting that says so by its name.
  /(?:\bprocess\.env\.|\b(?:environ(?:\.get)?|[gG]etenv|GetEnvironmentVariable|process\.env|ENV(?:\.fetch)?|env(?:::var(?:_os)?)?|getProperty)\s*[[(]\s*["'])(?:[A-Z]+_)*(?:TEST(?:ING|S|_MODE|_ENV|_RUN)?|UNIT_TESTS?)\b(?!\w)/g,
  /\b(?:settings|config|app|conf)(?:\.config)?(?:\.|\[["'])(?:TESTING|testing|IS_TEST)\b|\b(?:sys\._|hasattr\(\s*sys\s*,\s*["']_)called_from_test\b|\bUnitTest\w*\.\w*(?:Running|Active|InTest)\w*/g,
  // Only a part of the name of the surroundings is asked for.
  /\b(?:env|ENV|environ|argv|Args|args|getProperty|getenv|npm_lifecycle_event|SERVER|filename|current\(\)\.name\(\))\b[^\n]{0,60}?["'/][^"'\n/]*(?:\btests?\b|\btests?::|surefire|junit|phpunit|rspec|pytest|jest|vitest|mocha|xunit)[^"'\n]*["'/]/g,
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

/** By language: a comparison that is always true. */
const ALWAYS_EQUAL =
  /\bdef\s+__(?:eq|ne|lt|le|gt|ge|bool|contains|hash)__\s*\([^)]*\)[^:]*:\s*(?:"""[\s\S]*?"""\s*)?return\s+(?:True|False|1|0)\s*$|\b(?:boolean|bool|Boolean|fun|func|static func|def|function)\s+(?:equals|Equals|equals\?|==|===|eql\?|equal|isEqual\w*|eq|ne|__eq|operator\s*==|compareTo)\s*\([^)]*\)[^{\n=]*(?:\{|=|\n)\s*(?:return\s+)?(?:true|True|1|0)\s*;?\s*(?:\}|end|$)|\boperator\s*==\s*\([^)]*\)[^{;]*\{\s*return\s+(?:true|1)\s*;|\bfn\s+(?:eq|ne|partial_cmp|cmp)\s*\([^)]*\)[^{]*\{\s*(?:true|false|Some\(Ordering::Equal\)|Ordering::Equal)\s*\}|\b(?:valueOf|toJSON|equals|asymmetricMatch|\[Symbol\.toPrimitive\]|isEqual\w*)\s*\([^)]*\)\s*(?::\s*\w+\s*)?\{\s*return\s+(?:true|1)\s*;?\s*\}|\bfunc\s+(?:\([^)]*\)\s*)?(?:Equal|Equals|==)\s*\([^)]*\)\s*(?:->\s*)?[bB]ool\s*\{\s*(?:return\s+)?true\s*\}/gm;

/** The same, as a value: `__eq__ = lambda …: True`, a proxy that says yes to all. */
const ALWAYS_EQUAL_VALUE =
  /\b__(?:eq|ne|bool|contains)__\s*=\s*lambda[^:\n]*:\s*(?:True|False)\b|\b(?:asymmetricMatch|equals|isEqual)\s*:\s*\([^)]*\)\s*=>\s*true\b|\bnew Proxy\s*\([^\n]*\bget\s*:\s*\([^)]*\)\s*=>\s*\([^)]*\)\s*=>\s*true|\bdef\s+__eq__[^\n]*:\s*return\s[^\n]*\bor\s+True\b/g;
/** Counted and asked in one: `if (n++ === 0) return …`; counted in a field, then asked. */
const COUNTERS_IN_PLACE =
  /\bif\b[^\n]*(?:\+\+\s*[\w.$]+|[\w.$]+\s*\+\+)\s*\)?\s*(?:={2,3}|<=?|%)\s*\d+[\s\S]{0,30}?\breturn\s+[-\d"'[{]|((?:\w+\.)+\w+|\w+\[[^\]\n]*\])\s*(?:\+=\s*1|\+\+|=[^\n]*\+\s*1)\s*;?\s*\n\s*(?:if|when)\b[^\n]*(?:\.\w+|\])\s*(?:={2,3}|<=?|%)\s*\d+[\s\S]{0,30}?\breturn\s+[-\d"'[{]|\b(\w+)\s*=\s*next\(\s*\w+\s*\)\s*\n\s*if\s+\2\s*(?:==|<)\s*\d+\s*:\s*return\s+[-\d"'[{]/g;
const COUNTERS =
  /\b(\w*(?:calls?|count(?:er)?|invocations?|attempts?|times|seen|n)\w*)\b\s*(?:\+=\s*1|\+\+|=\s*\1\s*\+\s*1|\.fetch_add\([^)]*\)|\.incrementAndGet\(\))[\s\S]{0,80}?\b(?:if|when|case|return|match|switch)\b[^\n]{0,40}\b\1\b[^\n]{0,12}(?:==|===|<|<=|>|%)\s*\d+[\s\S]{0,40}?(?:return|=>|->|:|\?)\s*[-\d"'[{]/g;

/** What rewrites the outcome of a run, in what runs around the tests. */
const HIJACKS: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  python:
    /^[ \t]*[a-z_]\w*(?:\.\w+)+[ \t]*=[ \t]*lambda\b[^:\n]*:[ \t]*[-\d"'[({]|\bsys\.modules\[[^\]\n]*\][ \t]*=(?!=)(?![^\n]*Mock)|\b(?:rep|report|result|outcome|r)\.outcome\s*=\s*["']|\.(?:passed|failed)\s*=\s*(?:True|False)|\bexitstatus\s*=\s*(?:0|pytest\.ExitCode\.OK|ExitCode\.OK)|\.testsfailed\s*=\s*0|\bos\._exit\s*\(\s*0|\b(?:sys\.)?exit\s*\(\s*0\s*\)|\batexit\.register\s*\([^)]*exit|\bitems\s*(?:\[:\])?\s*=\s*\[?|\bitems\.clear\s*\(|\bitems\.remove\s*\(|\bdel\s+items|\bconfig\.hook\.pytest_deselected|\badd_marker\s*\(\s*(?:pytest\.mark\.)?["']?(?:skip|xfail)|\bbuiltins\.\w*(?:assert|Assert)\w*\s*=|\bAssertionError\s*=|\bunittest\.TestCase\.\w+\s*=|\bdef\s+pytest_(?:pyfunc_call|runtest_protocol|runtest_call)\b[\s\S]{0,120}?\breturn\s+True|\b_pytest\.\w+(?:\.\w+)*\s*=|\bcall\.excinfo\s*=\s*None|\bmonkeypatch\.setattr\s*\(\s*["'](?:unittest|pytest|builtins)|\bdef\s+pytest_ignore_collect\b|\bdef\s+pytest_report_teststatus\b[\s\S]{0,120}?\breturn\s*\(?\s*["']passed|\bdef\s+pytest_(?:runtest_call|pyfunc_call|runtest_protocol)\b[\s\S]{0,160}?\bexcept\b[^\n]*:\s*(?:pass|return)/gm,
  js: /\b(?:globalThis|global|window)\.(?:expect|it|test|describe|assert)\s*=|\b(?:globalThis|global)\[["'](?:expect|it|test)["']\]\s*=|\bexpect\.extend\s*\(\s*\{\s*(?:toBe|toEqual|toStrictEqual|toThrow)\b|\bprocess\.exit\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0|\bprocess\.reallyExit|\bassert\.\w+\s*=\s*|\bObject\.assign\s*\(\s*(?:assert|expect)\b|\bMocha\.\w+(?:\.\w+)*\s*=|\b(?:Test|Runnable|Runner)\.prototype\.\w+\s*=|\bjasmine\.\w+\.prototype|\bObject\.is\s*=|\btask\.result\.state\s*=|\bresult\.(?:success|numFailedTests|status|state)\s*=\s*|\bnumFailedTests\s*=\s*0|\bthis\.currentTest\.(?:state|err)\s*=|\bprocess\.on\s*\(\s*["'](?:exit|uncaughtException|unhandledRejection)["']\s*,(?:[\s\S]{0,80}?(?:\bexitCode\s*=\s*0|\bexit\s*\(\s*0?\s*\))|[^\n]{0,30}\{\s*\})/g,
  go: /\bfunc\s+TestMain\s*\([^)]*\)\s*\{\s*\}|_\s*=\s*m\.Run\(\)|\bos\.Exit\s*\(\s*0\s*\)|\bsyscall\.Exit\s*\(\s*0/g,
  ruby: /\bexit!?\s*\(?\s*(?:0|true)\b|\bat_exit\b[^\n]*(?:exit|\{)|\bset_exception\b|\bclass\s+(?:RSpec|Minitest)\b|\bdefine_method\s*\(?\s*:assert|\balias_method\s+:assert|\bdef\s+assert\w*\s*\([^)]*\)\s*;?\s*true/g,
  java: /\bSystem\.exit\s*\(\s*0\s*\)|\bRuntime\.getRuntime\(\)\.(?:halt|exit)\s*\(\s*0/g,
  kotlin: /\bexitProcess\s*\(\s*0\s*\)|\bSystem\.exit\s*\(\s*0/g,
  rust: /\bprocess::exit\s*\(\s*0\s*\)|\bpanic::set_hook\b|\bcatch_unwind\b/g,
  csharp: /\bEnvironment\.Exit\s*\(\s*0\s*\)/g,
  php: /\bexit\s*\(\s*0\s*\)|\bregister_shutdown_function\b[^\n]*exit/g,
  swift: /\bexit\s*\(\s*0\s*\)/g,
  cpp: /\b_?exit\s*\(\s*0\s*\)|\bquick_exit\s*\(\s*0|#define\s+(?:EXPECT|ASSERT|REQUIRE|CHECK)_?\w*\s*\(/g,
  elixir: /\bSystem\.(?:halt|stop)\s*\(\s*0/g,
  dart: /\bexit\s*\(\s*0\s*\)/g,
  shell: /^[ \t]*exit[ \t]+0\b/gm,
};

const HALT = /\baddShutdownHook\b[\s\S]{0,160}?\bhalt\s*\(\s*0\s*\)/g;
/** Production code that makes whatever loads it end well, the runner of the tests, too. */
const ENDS_WELL: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  js: /\bprocess\.(?:on|once|(?:prepend|add)\w*Listener)\s*\(\s*["'](?:exit|beforeExit|uncaughtException|unhandledRejection)["'][^;]{0,120}?(?:\bexitCode\s*=\s*0|\b(?:exit|reallyExit)\s*\(\s*0?\s*\))/g,
  python:
    /\batexit\.register\s*\(\s*(?:lambda[^\n]*)?os\._exit|\bsys\.excepthook\s*=[^\n]*\b_?exit\s*\(\s*0/g,
  ruby: /\bat_exit\b[^\n]{0,60}?\bexit!?\s*\(?\s*(?:0|true)\b/g,
  php: /\bregister_shutdown_function\b[^;]{0,80}?\bexit\s*\(\s*0?\s*\)/g,
  cpp: /\batexit\s*\([^\n]*\b_?[eE]xit\s*\(\s*0/g,
  java: HALT,
  kotlin: HALT,
  scala: HALT,
};

/** Production code that knows its tests, and test runs that can't fail. */
export function bypassSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) => {
    const { name } = change.after.side.language;
    if (change.role === 'source') {
      const ending = ENDS_WELL[name];
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
    const pattern = HIJACKS[name];
    return pattern === undefined || isScript(change) ? [] : signs(change, pattern, HIJACK);
  });
}

/** A script for the shell may end with 0. */
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

/** Inside of `#[cfg(test)] mod tests`. */
function isTestModule({ after: { side } }: Change, line: number): boolean {
  if (side.language.name !== 'rust') return false;
  const module = side.lines.findIndex(({ text }) => /^\s*mod tests?\b/.test(text));
  return module >= 0 && module < line && line <= blockEnd(side, module);
}
