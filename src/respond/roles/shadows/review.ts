import { counted } from 'ralph-kit/counted';
import type { Reviewer, ReviewFinding } from '../../../domain/workflow/roles.ts';
import { sameShare } from '../similar.ts';
import { THRESHOLDS } from '../thresholds.ts';
import {
  foundSign,
  fullText,
  isChanged,
  namesChange,
  type RoleObservation,
  type SignDetectors,
  wordsIn,
} from './observation.ts';

const { guardian, skeptic, trickster, sage } = THRESHOLDS;

/** Matches words about an attacker who already has what the finding is about. */
const COMPROMISED =
  /\bcompromised (?:\w+ )?(?:system|host|machine|server|account|admin|ci|pipeline|database|dependency|runner|developer|laptop|os|kernel)\b|\b(?:attackers?|intruders?|adversar(?:y|ies)|someone|anyone|a user) (?:who |that |with )?(?:already )?(?:has|have|had|gains?|gained|with|controls?|owns?) (?:\w+ ){0,2}(?:root|shell|admin\w*|physical|write access|the (?:server|host|machine|database|network)|full control)|\bif the (?:server|host|machine|system|database|network|kernel|ci) (?:is|was|were|gets?) (?:already )?(?:compromised|hacked|owned|breached)|\b(?:with|requires?) (?:root|physical|shell) access\b/i;
const ABOUT_ATTACKS =
  /\b(?:threat|sandbox|privilege|escalation|isolation|attack|compromis\w*|root|zero[- ]trust|hardening)\b/i;

const GUARDIAN: SignDetectors = {
  critical_to_warning: (observed, findings) => {
    const criticals = findings.filter(({ severity }) => severity === 'CRITICAL');
    const warnings = findings.filter(({ severity }) => severity === 'WARNING').length;
    if (criticals.length < guardian.criticalsAtLeast || criticals.length <= warnings * guardian.ratioOver)
      return null;
    return foundSign(
      `${criticals.length} CRITICAL to ${warnings} WARNING`,
      criticals.every((one) => isGenuine(one, observed)) &&
        'each is in changed code, with steps to reproduce it and a fix',
    );
  },
  no_approval: (observed, findings) => {
    const verdicts = [...observed.earlier, observed.answer].map((one) => one?.verdict ?? null);
    const newest = verdicts.filter((one) => one !== null).slice(-guardian.rejectionsAtLeast);
    if (newest.length < guardian.rejectionsAtLeast || newest.includes('APPROVED')) return null;
    const criticals = findings.filter(({ severity }) => severity === 'CRITICAL');
    return foundSign(
      `no approval in ${newest.length} reviews`,
      criticals.length > 0 &&
        criticals.every((one) => isGenuine(one, observed)) &&
        'what is open is critical, in changed code, reproducible and has a fix',
    );
  },
  findings_without_fix: ({ answer }, findings) => {
    const fixed = findings.filter(({ fix }) => fix !== null).length;
    if (findings.length === 0 || fixed >= findings.length * guardian.fixShareUnder) return null;
    const blocking = findings.filter(({ severity }) => severity !== 'INFO');
    return foundSign(
      `${fixed} of ${findings.length} findings have a fix`,
      answer?.verdict === 'APPROVED' && blocking.length === 0 && 'it approves, and they are for information',
    );
  },
  compromised_system: ({ task }, findings) => {
    const compromised = findings.filter((one) => COMPROMISED.test(fullText(one)));
    if (compromised.length < guardian.compromisedAtLeast) return null;
    return foundSign(
      `${counted(compromised.length, 'finding')} that presuppose a compromised system`,
      ABOUT_ATTACKS.test(task.text) && 'the task itself is about attacks',
    );
  },
};

function isGenuine(finding: ReviewFinding, observed: RoleObservation): boolean {
  return isChanged(finding, observed) && finding.repro !== null && finding.fix !== null;
}

const SKEPTIC: SignDetectors = {
  challenges: (observed, findings) => {
    if (findings.length <= skeptic.challengesOver) return null;
    return foundSign(
      `${findings.length} challenges (over ${skeptic.challengesOver})`,
      findings.every((one) => one.alternative !== null && isChanged(one, observed)) &&
        'each is in changed code and has an alternative',
    );
  },
  without_alternatives: (_, findings) => {
    const given = findings.filter(({ alternative }) => alternative !== null).length;
    if (findings.length === 0 || given >= findings.length * skeptic.alternativeShareUnder) return null;
    const bare = findings.filter(({ alternative }) => alternative === null);
    return foundSign(
      `${given} of ${findings.length} challenges have an alternative`,
      bare.every(({ fix, repro }) => fix !== null && repro !== null) &&
        'the others are reproducible and have a fix',
    );
  },
  same_concern_twice: (_, findings) => {
    const pairs = findings.flatMap((one, at) =>
      findings
        .slice(at + 1)
        .filter((other) => sameShare(one.claim, other.claim) >= skeptic.sameShareAtLeast)
        .map((other) => [one, other] as const),
    );
    const inOneFile = pairs.find(([one, other]) => one.file === other.file || one.fix === other.fix);
    const [one, other] = inOneFile ?? pairs[0] ?? [];
    if (one === undefined || other === undefined) return null;
    const isElsewhere = one.file !== other.file && one.fix !== other.fix;
    return foundSign(
      `"${one.claim}" and "${other.claim}"`,
      isElsewhere && 'they are in different files, with a fix of their own',
    );
  },
  out_of_scope: (observed, findings) => {
    const beyond = findings.filter(
      (one) => !isChanged(one, observed) && !observed.proposal?.includes(one.file),
    );
    if (beyond.length <= skeptic.outOfScopeOver) return null;
    const loose = beyond.filter((one) => !namesChange(one, observed));
    return foundSign(
      `${counted(beyond.length, 'finding')} out of scope`,
      loose.length <= skeptic.outOfScopeOver && 'they say which changed file leads there',
    );
  },
};

/** Matches words about events that don't happen on a real machine. */
const IMPOSSIBLE =
  /\b(?:cosmic rays?|bit[- ]?flips?|time travel\w*|clock (?:goes|runs|jumps) back(?:wards?)?|heat death|infinite (?:memory|input|loop of users)|(?:kernel|cpu|compiler|operating system|language runtime|hardware|file ?system|libc) (?:is|has|had|were) (?:broken|buggy|a bug|faulty|wrong)|more than 2\^?(?:53|63|64)|Number\.MAX_SAFE_INTEGER (?:users|rows|files)|edits? (?:the )?(?:process )?memory|monkey[- ]?patch(?:es|ed)? (?:Array|Object|String|JSON)|if (?:true|1) (?:is|equals|===?) (?:false|0))\b/i;
/** Number of lines from a change within which a finding still concerns the change. */
const NEAR = 3;

const TRICKSTER: SignDetectors = {
  untouched_code: (observed, findings) => {
    const untouched = findings.filter((one) => !isTouched(one, observed));
    if (untouched.length < trickster.untouchedAtLeast) return null;
    return foundSign(
      `${counted(untouched.length, 'finding')} in untouched code`,
      untouched.every((one) => one.repro !== null && namesChange(one, observed)) &&
        'each is reproducible and says which changed file leads there',
    );
  },
  many_findings: (observed, findings) => {
    const files = observed.changed.length;
    if (findings.length <= trickster.findingsOver || files >= trickster.filesUnder) return null;
    return foundSign(
      `${findings.length} findings for ${counted(files, 'file')}`,
      findings.every((one) => one.repro !== null && isTouched(one, observed)) &&
        'each is in changed code and reproducible',
    );
  },
  impossible_scenario: (_, findings) => {
    const impossible = findings.filter((one) => IMPOSSIBLE.test(fullText(one)));
    if (impossible.length < trickster.impossibleAtLeast) return null;
    return foundSign(
      `"${IMPOSSIBLE.exec(impossible.map(fullText).join('\n'))?.[0] ?? ''}"`,
      impossible.every(({ repro }) => repro !== null && !IMPOSSIBLE.test(repro)) &&
        'there are steps to reproduce it',
    );
  },
  without_repro: (_, findings) => {
    const bare = findings.filter(({ repro }) => repro === null);
    if (bare.length <= trickster.withoutReproOver) return null;
    const serious = bare.filter(({ severity }) => severity !== 'INFO');
    return foundSign(
      `${counted(bare.length, 'finding')} without steps to reproduce`,
      serious.length <= trickster.withoutReproOver && 'the rest are for information',
    );
  },
};

/** Returns whether a finding is about changed lines. A finding without a line is, if its file changed. */
function isTouched(finding: ReviewFinding, observed: RoleObservation): boolean {
  if (!isChanged(finding, observed)) return false;
  const { line } = finding;
  const lines = observed.lines.get(finding.file);
  if (line === null || lines === undefined || lines.size === 0) return true;
  return [...lines.keys()].some((changed) => Math.abs(changed - line) <= NEAR);
}

const CONSIDER = /\b(?:consider|think about|it (?:might|may|could) be (?:worth|nice|good)|perhaps|maybe)\b/i;
const WANTS_DOCS =
  /\b(?:add|write|needs?|missing|lacks?|no|without|should have|deserves?) (?:a |an |any |some |the )?(?:\w+ )?(?:js ?docs?|doc ?strings?|doc comments?|docs?|documentation|comments?)\b/i;
const TRIVIAL =
  /\b(?:getter|setter|trivial|one[- ]liner|simple|small|tiny|private|internal|helper|accessor|wrapper|constant)\b/i;
/** Matches a function in one line. */
const OPENS_AND_ENDS = /(?:\{.*\}|=>[^{]*;?)\s*$/;
const PUBLIC = /^\s*(?:export\b|pub\b|public\b|module\.exports)/;

const SAGE: SignDetectors = {
  wordy: ({ changed }, findings) => {
    const words = wordsIn(findings.map(fullText).join('\n'));
    const lines = changed.reduce((sum, { added, removed }) => sum + added + removed, 0);
    if (words <= lines * sage.wordsOver) return null;
    return foundSign(
      `${words} words about ${counted(lines, 'line')}`,
      words < sage.wordsFrom && 'the review is short',
    );
  },
  outside_change: (observed, findings) => {
    const outside = findings.filter((one) => !isChanged(one, observed));
    if (outside.length < sage.outsideAtLeast) return null;
    return foundSign(
      `${counted(outside.length, 'finding')} outside the change`,
      outside.every((one) => namesChange(one, observed)) && 'each says which changed file leads there',
    );
  },
  consider_without_action: (_, findings) => {
    const vague = findings.filter(({ claim, fix }) => CONSIDER.test(claim) && fix === null);
    if (vague.length <= sage.considerOver) return null;
    return foundSign(
      `${vague.length} times "consider" without an action`,
      vague.every(({ alternative }) => alternative !== null) && 'each names an alternative',
    );
  },
  docs_for_trivial: (observed, findings) => {
    const docsFindings = findings.filter(
      (one) =>
        WANTS_DOCS.test(fullText(one)) &&
        (TRIVIAL.test(one.claim) || OPENS_AND_ENDS.test(lineOf(one, observed))),
    );
    if (docsFindings.length < sage.trivialDocsAtLeast) return null;
    return foundSign(
      `docs asked for ${counted(docsFindings.length, 'trivial function')}`,
      docsFindings.every((one) => PUBLIC.test(lineOf(one, observed))) && 'they are part of what others call',
    );
  },
};

function lineOf({ file, line }: ReviewFinding, { lines }: RoleObservation): string {
  return (line === null ? undefined : lines.get(file)?.get(line)) ?? '';
}

export const REVIEW_SIGNS: Readonly<Record<Reviewer, SignDetectors>> = {
  guardian: GUARDIAN,
  skeptic: SKEPTIC,
  trickster: TRICKSTER,
  sage: SAGE,
};
