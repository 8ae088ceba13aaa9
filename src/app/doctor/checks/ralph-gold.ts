import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from 'ralph-kit/counted';
import { tryOr } from 'ralph-kit/try-or';
import { loadImport } from '../../../state/index.ts';
import { hasViewsOnly, readViewFiles } from '../../../store/view-files.ts';
import { importedIn } from '../../setup/import-records.ts';
import { taskIdsInOrder } from '../../setup/task-ids.ts';
import { check, type DoctorFinding, info, ok, warning } from '../check.ts';
import type { Scene } from '../scene.ts';

/** Reports what was imported from a ralph-gold project; reports nothing without one. */
export const ralphGoldCheck = check({
  gather: async (scene) => {
    const { root, state } = scene;
    const imported = importedIn(state);
    return {
      rootFile: existsSync(join(root, 'ralph.toml')),
      imported: imported.attempts + imported.blocked === 0 ? null : imported,
      toImport: await toImport(scene),
    };
  },
  judge: ({ rootFile, imported, toImport: notes }) => {
    const findings: DoctorFinding[] = [];
    if (rootFile) {
      const detail = 'ralph-gold read it over .ralph/ralph.toml; ralph does not';
      const fix = 'Move what you need of it into .ralph/ralph.toml.';
      findings.push(warning('ralph_gold.root_file', 'ralph.toml is not read', detail, fix));
    }
    if (imported !== null) {
      const { attempts, blocked } = imported;
      const detail = `${counted(attempts, 'attempt')} and ${counted(blocked, 'blocked task')} from state.json`;
      findings.push(ok('ralph_gold.imported', 'imported', detail));
    }
    const fix = 'ralph import, or the next command, imports it once.';
    return [...findings, ...notes.map((note) => info('ralph_gold.to_import', 'to be imported', note, fix))];
  },
});

async function toImport({ root, config, journal }: Scene): Promise<readonly string[]> {
  const folder = join(root, '.ralph');
  if (journal.kind !== 'absent' || !tryOr(false, () => hasViewsOnly(folder))) return [];
  const importViews = await loadImport();
  const files = () => readViewFiles(folder);
  return tryOr([], () => importViews(files(), () => taskIdsInOrder(root, config.tracker)).notes);
}
