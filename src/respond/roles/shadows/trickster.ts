import type { ReviewFinding } from '../../../domain/workflow/roles.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { count, found, fullText, isChanged, namesChange, type RoleLook, type SignDetector } from './look.ts';

const LIMITS = THRESHOLDS.trickster;

/** What doesn't happen to a program that runs on a machine. */
const IMPOSSIBLE =
  /\b(?:cosmic rays?|bit[- ]?flips?|time travel\w*|clock (?:goes|runs|jumps) back(?:wards?)?|heat death|infinite (?:memory|input|loop of users)|(?:kernel|cpu|compiler|operating system|language runtime|hardware|file ?system|libc) (?:is|has|had|were) (?:broken|buggy|a bug|faulty|wrong)|more than 2\^?(?:53|63|64)|Number\.MAX_SAFE_INTEGER (?:users|rows|files)|edits? (?:the )?(?:process )?memory|monkey[- ]?patch(?:es|ed)? (?:Array|Object|String|JSON)|if (?:true|1) (?:is|equals|===?) (?:false|0))\b/i;
/** Lines around a change that are read with it. */
const NEAR = 3;

/** Trickster → false alarm. */
export const FALSE_ALARM: readonly SignDetector[] = [
  {
    sign: 'untouched_code',
    find: (look) => {
      const untouched = (look.answer?.findings ?? []).filter((one) => !isTouched(one, look));
      if (untouched.length < LIMITS.untouchedAtLeast) return null;
      return found(
        `${count(untouched.length, 'finding')} in untouched code`,
        untouched.every((one) => one.repro !== null && namesChange(one, look)) &&
          'each is reproducible and says which changed file leads there',
      );
    },
  },
  {
    sign: 'many_findings',
    find: (look) => {
      const findings = look.answer?.findings ?? [];
      const files = look.changed.length;
      if (findings.length <= LIMITS.findingsOver || files >= LIMITS.filesUnder) return null;
      return found(
        `${findings.length} findings for ${count(files, 'file')}`,
        findings.every((one) => one.repro !== null && isTouched(one, look)) &&
          'each is in changed code and reproducible',
      );
    },
  },
  {
    sign: 'impossible_scenario',
    find: ({ answer }) => {
      const findings = (answer?.findings ?? []).filter((one) => IMPOSSIBLE.test(fullText(one)));
      if (findings.length < LIMITS.impossibleAtLeast) return null;
      return found(
        `"${IMPOSSIBLE.exec(findings.map(fullText).join('\n'))?.[0] ?? ''}"`,
        findings.every(({ repro }) => repro !== null && !IMPOSSIBLE.test(repro)) &&
          'there are steps to reproduce it',
      );
    },
  },
  {
    sign: 'without_repro',
    find: ({ answer }) => {
      const bare = (answer?.findings ?? []).filter(({ repro }) => repro === null);
      if (bare.length <= LIMITS.withoutReproOver) return null;
      const serious = bare.filter(({ severity }) => severity !== 'INFO');
      return found(
        `${count(bare.length, 'finding')} without steps to reproduce`,
        serious.length <= LIMITS.withoutReproOver && 'the rest are for information',
      );
    },
  },
];

/** In a changed file, and where the line is known, at a changed place of it. */
function isTouched(finding: ReviewFinding, look: RoleLook): boolean {
  if (!isChanged(finding, look)) return false;
  const { line } = finding;
  const lines = look.lines.get(finding.file);
  if (line === null || lines === undefined || lines.size === 0) return true;
  return [...lines.keys()].some((changed) => Math.abs(changed - line) <= NEAR);
}
