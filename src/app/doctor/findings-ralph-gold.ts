import type { DoctorFacts } from './facts.ts';
import { counted, type DoctorFinding, info, ok, some, warning } from './finding.ts';

/** What a project of ralph-gold brought along; nothing is said where there is nothing of it. */
export function ralphGoldFindings({ ralphGold }: DoctorFacts): DoctorFinding[] {
  const { moved, ignored, rootFile, imported, toImport } = ralphGold;
  const findings: DoctorFinding[] = [];
  if (moved.length > 0) {
    const detail = some(
      moved.map(({ from, to }) => `${from} → ${to}`),
      4,
    );
    findings.push(ok('ralph_gold.settings', `${counted(moved.length, 'setting')} translated`, detail));
  }
  if (ignored.length > 0) {
    const mend = 'Nothing is needed; take them out of .ralph/ralph.toml when you like.';
    findings.push(
      info('ralph_gold.ignored', 'settings without a counterpart', ignored.map(shortened).join('; '), mend),
    );
  }
  if (rootFile) {
    const detail = 'ralph-gold read it over .ralph/ralph.toml; ralph does not';
    findings.push(
      warning(
        'ralph_gold.root_file',
        'ralph.toml is not read',
        detail,
        'Move what you need of it into .ralph/ralph.toml.',
      ),
    );
  }
  if (imported !== null) {
    const detail = `${counted(imported.attempts, 'attempt')} and ${counted(imported.blocked, 'blocked task')} from state.json`;
    findings.push(ok('ralph_gold.imported', 'taken over', detail));
  }
  for (const note of toImport) {
    findings.push(
      info(
        'ralph_gold.to_import',
        'to be taken over',
        note,
        'The next command (ralph status, for example) takes it over once.',
      ),
    );
  }
  return findings;
}

/** Each note of the configuration says that again. */
function shortened(note: string): string {
  return note.replace(/: (a setting|settings) of ralph-gold without a counterpart here, ignored$/, '');
}
