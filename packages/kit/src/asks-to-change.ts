/** Files besides code that decide whether a gate passes. */
export type GateInput = 'tests' | 'snapshots' | 'data' | 'settings';

const WRONG = '(?:wrong|incorrect|outdated|stale|obsolete|invalid|mistaken|bad)';
const TEST =
  '(?:tests?|expectations?|assertions?|snapshots?|fixtures?|expected (?:values?|results?|outputs?)|specs?)';
const EXPECTED =
  '(?:expectation|snapshot|expected (?:values?|results?|outputs?|price|sum|total|texts?|messages?|numbers?|counts?|amounts?|answers?|lengths?))';
/** A character of the same sentence, before which nothing is denied. */
const UNDENIED = "(?:(?!\\bnot\\b|n['’]t\\b|\\bnever\\b)[^.;\\n])";
/** A verb after "not" doesn't request anything. */
const ASKED =
  "(?<!\\b(?:not|never|without|nor|cannot|no need to)\\b[^.;\\n]{0,24})(?<!n['’]t\\b[^.;\\n]{0,24})";
const CORRECTS = new RegExp(
  `\\b${WRONG} ${TEST}\\b|\\b${TEST}\\b[^.\\n]{0,60}\\b(?:is|are|was|were|has|have) (?:an? |the )?${WRONG}\\b|${ASKED}\\b(?:correct|update|adjust|adapt|rewrite|change|replace) (?:the |its |their |all |existing |old )*(?:\\w+ )?${TEST}\\b|\\b${TEST}\\b[^.\\n]{0,60}\\b(?:expects?|asserts?) (?:the |an? )?${WRONG}\\b|\\b${EXPECTED}\\b[^\\n]{0,60}\\b(?:is|should be|must be|has to be) [^\\n]{1,40}?,? (?:not|instead of|rather than|in place of)\\b|\\b(?:is|are) expected (?:to|as)\\b[^\\n]{0,60}\\bcorrect (?:it|that|this|them)\\b`,
  'i',
);

/** Whether a task's text says that tests are wrong or must change. */
export function asksToCorrectTests(text: string): boolean {
  return CORRECTS.test(text);
}

/** Verbs that change their object. */
const CHANGES =
  'correct|update|adjust|adapt|rewrite|change|replace|edit|loosen|relax|weaken|tighten|raise|lower|increase|decrease|reduce|bump|regenerate|re-?generate|record|re-?record|refresh|renew|skip|disable|quarantine|mute|delete|remove|drop|retire|rename|reword|retitle|name|move|split|merge|combine|convert|port|migrate|parametri[sz]e|simplify|rework|refactor|restructure|clean up|reformat|sort';
/** Verbs that create the settings after them. */
const SETS =
  'add|set(?: up)?|configure|enable|turn (?:on|off)|switch|allow|upgrade|downgrade|install|use|exclude|include|introduce|create|write|generate|pin|fix|repair|extend|define|declare|register|support|ignore|silence|suppress|filter|accept|exempt';
/** Words that introduce a purpose, so the object comes before them. */
const OTHER =
  'so|to|until|because|which|when|if|make|makes|let|lets|get|gets|keep|keeps|pass|passes|passing|above|over|below|under|within|against|reach|meet|satisf\\w+|from|without|for|green';
const GAP = `(?:(?!\\b(?:${OTHER})\\b)[^.:;!?\\n]){0,50}?`;

const NOUNS: Readonly<Record<GateInput, string>> = {
  tests:
    'tests?|test (?:cases?|suites?|files?|titles?|helpers?|set-?up)|expectations?|assertions?|specs?|expected (?:values?|results?|outputs?)|tolerances?|epsilon|test data',
  snapshots:
    'snapshots?|snap files?|goldens?|golden (?:files?|masters?|outputs?)|approved (?:files?|outputs?)|expected (?:files?|outputs?|html|texts?)|recordings?|cassettes?|baselines?|reference (?:files?|images?|outputs?)',
  data: 'fixtures?|test (?:data|inputs?)|samples?|sample (?:data|files?)|mock data|cassettes?|recordings?|seed data',
  settings:
    'thresholds?|limits?|coverage (?:thresholds?|limits?|minimum|floor|settings?|config\\w*)|minimum coverage|minimum|budgets?|time-?outs?|time limits?|retr(?:y|ies)|re-?runs|(?:lint(?:er|ing)?|eslint|biome|ruff|clippy|type|compiler|build|coverage|quality) (?:rules?|settings?|options?|config\\w*)|rules?|warning filters?|filterwarnings|config(?:uration)?s?|config files?|settings?|options?|flags?|scripts?|tsconfig|eslintrc|makefiles?|recipes?|pipelines?|workflows?|pyproject|\\w+\\.ini|package\\.json|suppressions?|ignore lists?|allow ?lists?|ignored (?:rules?|files?|warnings?)|strict(?:ness)?(?: mode)?|presets?|plugins?|loaders?|transforms?|reporters?',
};

/** Passive forms after the object. */
const BECOMES =
  '(?:is|are|be|been|get|gets|gotten|must be|should be|need to be|needs to be|have to be) (?:\\w+ly )?(?:corrected|updated|adjusted|adapted|rewritten|changed|replaced|loosened|relaxed|raised|lowered|increased|decreased|reduced|regenerated|generated|re-?recorded|refreshed|renewed|skipped|disabled|quarantined|muted|deleted|removed|dropped|renamed|reworded|moved|split|merged|configured|set|set up|enabled|ignored|allowed)';

/** Other phrases that blame a thing or request its change. */
const ALSO: Readonly<Record<GateInput, string>> = {
  tests: `\\btests?\\b[^.\\n]{0,40}\\b(?:is|are) (?:flaky|slow|brittle|too (?:strict|tight|slow|specific)|unreliable|racy)\\b|\\bflaky tests?\\b|\\b(?:typo|mistake|misspelling|wrong \\w+)s? in (?:the |its |a )?(?:\\w+ )?(?:tests?|specs?|expectation)\\b|\\btests? (?:included|too|as well|also)\\b|\\bmake (?:one|a|an|two|three|single) (?!failing)[^.\\n]{0,30}\\btests?\\b(?! pass)|\\b(?:compare|allow|accept|use|with)\\b[^.\\n]{0,40}\\b(?:a |an )?(?:tolerance|epsilon|margin)\\b|\\bwith (?:its|their|the) tests?\\b`,
  snapshots: `\\b\\w+ (?:-- )?-u\\b|--update(?:-?snapshots?)?\\b|\\bfix (?:the )?(?:snapshots?|goldens?|golden files?)\\b|\\b(?:snapshots?|golden files?|baselines?)\\b[^.\\n]{0,40}\\b(?:is|are) (?:${WRONG}|out of date|old)\\b`,
  data: `\\bfix (?:the )?(?:fixtures?|test data)\\b|\\b(?:fixtures?|test data|samples?)\\b[^.\\n]{0,40}\\b(?:is|are|has|have) (?:an? |the )?(?:${WRONG}|broken|corrupt\\w*|out of date|incomplete)\\b|\\badd\\b[^.\\n]{0,30}\\b(?:fixtures?|test data)\\b`,
  settings: `\\b(?:ignore|silence|suppress|filter|mute|disable|allow|turn off|exclude)\\b${GAP}(?:\\b|(?<=[a-z])(?=W))(?:warnings?|rules?|findings?|lints?|checks?|deprecations?|errors? of (?:eslint|tsc|ruff|mypy|clippy|the linter))\\b|\\b(?:config\\w*|settings?|tsconfig|eslintrc|makefile|scripts?|rules?|thresholds?|limits?|time-?outs?)\\b[^.\\n]{0,40}\\b(?:is|are) (?:${WRONG}|missing|broken|too (?:low|high|strict|short|long|tight)|out of date)\\b|\\bmissing (?:\\w+ )?(?:script|setting|config\\w*|option)\\b|\\b(?:(?:tsconfig|package|pyproject)[\\w.-]*|[\\w-]+\\.(?:config|conf|ini|toml|rc)\\b[\\w.]*)[^.\\n]{0,40}\\b(?:is missing|lacks|misses|doesn't (?:know|have|list|include))\\b`,
};

const THINGS = ['tests', 'snapshots', 'data', 'settings'] as const;

const PATTERNS = Object.fromEntries(
  THINGS.map((thing) => [thing, new RegExp(`${asking(thing, NOUNS[thing])}|${ALSO[thing]}`, 'i')]),
) as Readonly<Record<GateInput, RegExp>>;

function asking(thing: GateInput, object: string): string {
  const verbs = thing === 'settings' ? `${CHANGES}|${SETS}` : CHANGES;
  return `${ASKED}\\b(?:${verbs})\\b${GAP}(?<![\\w-])(?:${object})(?![\\w-])|(?<![\\w-])(?:${object})(?![\\w-])${UNDENIED}{0,30}\\b${BECOMES}\\b`;
}

/** Verbs after which a test no longer runs by default. */
const SKIPS = 'skip|ignore|disable|quarantine|mute|omit|deselect|exclude|leave out|mark|tag';
const SKIPPED =
  '(?:skipped|ignored|disabled|quarantined|muted|omitted|deselected|excluded|left out|marked|tagged)';
const ONLY_RUN = '(?:only (?:be )?(?:run|runs|built|compiled)|(?:run|runs|built|compiled) only)';
const SKIPPING = new RegExp(
  `${ASKED}\\b(?:${SKIPS})\\b${GAP}\\btest\\w*|\\btests?\\b${UNDENIED}{0,60}\\b(?:${SKIPPED}|${ONLY_RUN})\\b|\\b${ONLY_RUN} ${GAP}\\btests?\\b|\\btests?\\b${UNDENIED}{0,60}\\b(?:behind|under) (?:the |an? )?(?:\\w+ )?(?:tag|flag|marker|feature|option|switch)\\b`,
  'i',
);

/** Whether a task wants a test not to run by default. */
export function asksToSkip(text: string): boolean {
  return SKIPPING.test(text);
}

const SILENCES = new RegExp(
  [
    `${ASKED}\\b(?:switch|turn)(?:es|s|ed|ing)?\\b${GAP}\\boff\\b`,
    `${ASKED}\\b(?:leave|keep)(?:s|ing)?\\b${GAP}\\bout\\b`,
    `${ASKED}\\b(?:disabl|silenc|mut|suppress|ignor|omit|exclud|deselect|exempt|tolerat|relax|loosen)(?:e|es|s|ed|ing)?\\b`,
    `${ASKED}\\b(?:allow|permit|accept)(?:s|ed|ing)?\\b${GAP}(?:[\`'"]|\\b(?:warnings?|rules?|unused|any|console|todos?)\\b)`,
    `${ASKED}\\b(?:noqa|nolint|optional|skips|continues?)\\b`,
    `(?:\\bnot|n['’]t) (?:be )?(?:fail|break|block|lint|check|count)(?:ed)?\\b`,
    `\\b(?:builds?|jobs?|steps?|tests?|checks?|ci|runs?|uploads?|lint\\w*|legs?)\\b${UNDENIED}{0,30}\\b(?:may|allowed to) (?:fail|break)\\b`,
    `${ASKED}\\bwarn(?:s|ings?)?,? (?:and (?:not|no)|not|instead of|rather than|in place of)\\b[^.\\n]{0,16}\\b(?:errors?|fail\\w*)\\b`,
    `${ASKED}\\b(?:downgrade|lower|reduce|turn|set|switch|change)\\b${GAP}\\b(?:in)?to (?:an? )?warn(?:ings?)?\\b`,
  ].join('|'),
  'i',
);

const LOOSENS = new RegExp(
  `\\b${TEST}\\b[^\\n]{0,80}\\b(?:brittle|too (?:strict|tight|specific|exact|precise|narrow))\\b|${ASKED}\\b(?:loosen|relax|weaken)(?:s|ed|ing)?\\b${GAP}\\b${TEST}\\b`,
  'i',
);

/** Whether a task says that tests demand too much. */
export function asksToLoosenTests(text: string): boolean {
  return LOOSENS.test(text);
}

/** Whether a task wants a check to say nothing about something. */
export function asksToSilence(text: string): boolean {
  return SILENCES.test(text);
}

/** Requires a verb such as "correct" or "delete" with its object, not that a test passes. @param path `null`: any. */
export function asksToChange(text: string, thing: GateInput, path: string | null = null): boolean {
  // Tests include what they read or expect.
  if (thing !== 'settings' && asksToCorrectTests(text)) return true;
  if (PATTERNS[thing].test(text)) return true;
  if (thing !== 'settings' && thing !== 'tests' && PATTERNS.tests.test(text)) return true;
  return (
    path !== null &&
    namesOf(path).some((name) => new RegExp(`${asking(thing, name)}|${inFile(name)}`, 'i').test(text))
  );
}

function inFile(name: string): string {
  return `${ASKED}\\b(?:${CHANGES}|${SETS})\\b${GAP}\\b(?:to|into|in) ${name}(?![\\w-])`;
}

function namesOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [...new Set([path, name])].map((one) => `[\`'"]?${one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}
