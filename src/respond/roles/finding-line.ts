import type { ReviewFinding, Role } from '../../domain/workflow/roles.ts';

/** A finding in one line, for a prompt or a report. */
export function findingLine({
  role,
  finding,
}: {
  readonly role: Role;
  readonly finding: ReviewFinding;
}): string {
  const { severity, file, line, category, claim, fix, alternative, repro } = finding;
  const parts = [
    `${severity} ${file}${line === null ? '' : `:${line}`} (${role}, ${category}): ${claim}`,
    ...(repro === null ? [] : [`Reproduce: ${repro}`]),
    ...(fix === null ? [] : [`Fix: ${fix}`]),
    ...(alternative === null ? [] : [`Or: ${alternative}`]),
  ];
  return parts.join(' — ');
}
