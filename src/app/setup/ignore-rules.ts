import { join } from 'node:path';
import { lstatOrNull } from '../../io/store/index.ts';
import type { Project } from './project.ts';

/** What is local to a machine; the task list, configuration and prompts are the project's. */
export const IGNORE_RULES = `# Local state of ralph. The task list, ralph.toml and the prompts are the project's.
/journal.jsonl*
/journal/
/state.json*
/metrics.json*
/lessons.json*
/control-center.md
/interventions/
/runs/
/incidents/
/recoveries/
/gates/
/whitelists/
/*.lock
/.*.tmp
/archive/
`;

/** A hand-made `.ralph/` gets its ignore rules at the first run (files.md); so does one where git would wait for a pipe. */
export function ensureIgnoreRules({ root, store }: Pick<Project, 'root' | 'store'>): void {
  const found = lstatOrNull(join(root, '.ralph', '.gitignore'));
  if (found === null || found.isFIFO()) store.writeDocument('.gitignore', IGNORE_RULES);
}
