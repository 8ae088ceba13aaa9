import type { ReviewFinding } from '../../../domain/workflow/roles.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { count, found, fullText, isChanged, type RoleLook, type SignDetector, share } from './look.ts';

const LIMITS = THRESHOLDS.guardian;

/** An attacker who already has what the finding is about. */
const COMPROMISED =
  /\bcompromised (?:\w+ )?(?:system|host|machine|server|account|admin|ci|pipeline|database|dependency|runner|developer|laptop|os|kernel)\b|\b(?:attackers?|intruders?|adversar(?:y|ies)|someone|anyone|a user) (?:who |that |with )?(?:already )?(?:has|have|had|gains?|gained|with|controls?|owns?) (?:\w+ ){0,2}(?:root|shell|admin\w*|physical|write access|the (?:server|host|machine|database|network)|full control)|\bif the (?:server|host|machine|system|database|network|kernel|ci) (?:is|was|were|gets?) (?:already )?(?:compromised|hacked|owned|breached)|\b(?:with|requires?) (?:root|physical|shell) access\b/i;
const ABOUT_ATTACKS =
  /\b(?:threat|sandbox|privilege|escalation|isolation|attack|compromis\w*|root|zero[- ]trust|hardening)\b/i;

/** Guardian → paranoid. */
export const PARANOID: readonly SignDetector[] = [
  {
    sign: 'critical_to_warning',
    find: (look) => {
      const findings = look.answer?.findings ?? [];
      const criticals = findings.filter(({ severity }) => severity === 'CRITICAL');
      const warnings = findings.filter(({ severity }) => severity === 'WARNING').length;
      if (criticals.length < LIMITS.criticalsAtLeast || criticals.length <= warnings * LIMITS.ratioOver)
        return null;
      return found(
        `${criticals.length} CRITICAL to ${warnings} WARNING`,
        criticals.every((one) => isGenuine(one, look)) &&
          'each is in changed code, with steps to reproduce it and a fix',
      );
    },
  },
  {
    sign: 'no_approval',
    find: (look) => {
      const { answer, earlier } = look;
      if (answer === null || answer.verdict === 'APPROVED') return null;
      const verdicts = [
        ...earlier.map(({ verdict }) => verdict).filter((one) => one !== null),
        answer.verdict,
      ];
      const newest = verdicts.slice(-LIMITS.rejectionsAtLeast);
      if (newest.length < LIMITS.rejectionsAtLeast || newest.includes('APPROVED')) return null;
      const criticals = answer.findings.filter(({ severity }) => severity === 'CRITICAL');
      return found(
        `no approval in ${newest.length} reviews`,
        criticals.length > 0 &&
          criticals.every((one) => isGenuine(one, look)) &&
          'what is open is critical, in changed code, reproducible and has a fix',
      );
    },
  },
  {
    sign: 'findings_without_fix',
    find: ({ answer }) => {
      const findings = answer?.findings ?? [];
      const fixed = findings.filter(({ fix }) => fix !== null).length;
      if (findings.length === 0 || fixed >= findings.length * LIMITS.fixShareUnder) return null;
      const blocking = findings.filter(({ severity }) => severity !== 'INFO');
      return found(
        `${share(fixed, findings.length)} findings have a fix`,
        answer?.verdict === 'APPROVED' &&
          blocking.length === 0 &&
          'it approves, and they are for information',
      );
    },
  },
  {
    sign: 'compromised_system',
    find: ({ answer, task }) => {
      const findings = (answer?.findings ?? []).filter((one) => COMPROMISED.test(fullText(one)));
      if (findings.length < LIMITS.compromisedAtLeast) return null;
      return found(
        `${count(findings.length, 'finding')} that presuppose a compromised system`,
        ABOUT_ATTACKS.test(task.text) && 'the task is about that',
      );
    },
  },
];

function isGenuine(finding: ReviewFinding, look: RoleLook): boolean {
  return isChanged(finding, look) && finding.repro !== null && finding.fix !== null;
}
