import { focuses, groups, type Idiom, skips } from '../idiom.ts';

export const JS_SKIPS: readonly Idiom[] = [
  ...skips(
    /(?<![.\w$])(?:it|test|describe|specify|context|suite|fixture)(?:\s*\.\s*\w+(?:\([^()]*\))?)*\s*\.\s*(?:skip|todo|fails|failing|fixme|skipIf|runIf|todoIf|pend)\b(?:\s*\([^()]*\))?/g,
    /(?<![.\w$])x(?:it|test|describe|context|specify|scenario)\s*[.(]/g,
    /(?<![.\w$])(?:pending|skip|markAsPending|xskip)\s*\(\s*(?!\d)/g,
    /\b(?:this|t|ctx|context|self|testInfo|test|tc)\s*\.\s*(?:skip|todo|fixme|pending)\s*\(|\b(?:test|testInfo)\s*\.\s*fail\s*\(/g,
    /\.(?:each|for)\s*\(\s*\[\s*\]\s*\)|(?<![\w.])(?:false|0)\s*&&\s*(?:it|test|describe)\b/g,
    /\b(?:skip|todo|fails|fixme)\s*:\s*(?!(?:false|undefined|null|boolean|string|number|unknown)\b)[\w'"`!]/g,
    /(?<![.\w$])Deno\.test\.ignore\b|(?<![.\w$])QUnit\.(?:skip|todo)\b/g,
    /(?<=(?<![.\w$])Deno\.test\s*\(\s*\{[^{}]{0,500})\bignore\s*:\s*(?!false\b)[\w!]/g,
    /(?<![.\w$])(?:it|test|describe)\s*\.\s*if\s*\(\s*(?:false|0)\s*\)/g,
  ),
  ...focuses(
    /(?<![.\w$])(?:Deno\.test|QUnit\.(?:test|module))\s*\.\s*only\b|(?<![.\w$])QUnit\.only\b/g,
    /(?<![.\w$])(?:(?:it|test|describe)\s*\.\s*)?solo\s*\(\s*["'`]/g,
    /(?<![.\w$])(?:it|test|describe|specify|context|suite|fixture)(?:\s*\.\s*\w+(?:\([^()]*\))?)*\s*\.\s*only\b/g,
    /(?<![.\w$])(?:fit|fdescribe|ftest|fcontext|iit|ddescribe)\s*(?:\(\s*["'`]|\.\s*each\b)/g,
    /\bonly\s*:\s*true\b/g,
  ),
  ...groups(/\btags?\s*:\s*\[?\s*["']@?NAME/),
];
