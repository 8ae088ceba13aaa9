import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from 'ralph-kit/counted';
import { readViewFiles } from '../../../io/store/view-files.ts';
import { importViews } from '../../../state/index.ts';
import { taskIdsInOrder } from '../../setup/task-ids.ts';
import { check, type DoctorFinding, info, ok, warning } from '../check.ts';
import { orElse } from '../or-else.ts';
import type { Scene } from '../scene.ts';

/** Run id of attempts that were imported from another program. */
const IMPORTED_RUN = 'imported';

/** Reports what was imported from a ralph-gold project; reports nothing without one. */
export const ralphGoldCheck = check({
  gather: (scene) => {
    const { root, state } = scene;
    const tasks = Object.values(state.tasks);
    const attempts = tasks.flatMap((task) => task.attempts).filter(({ run }) => run === IMPORTED_RUN).length;
    const blocked = tasks.filter((task) => task.blocked?.run === IMPORTED_RUN).length;
    return {
      rootFile: existsSync(join(root, 'ralph.toml')),
      imported: attempts + blocked === 0 ? null : { attempts, blocked },
      toImport: toImport(scene),
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
    const fix = 'The next command (ralph status, for example) imports it once.';
    return [...findings, ...notes.map((note) => info('ralph_gold.to_import', 'to be imported', note, fix))];
  },
});

function toImport({ root, config, journal }: Scene): readonly string[] {
  if (journal.kind !== 'absent') return [];
  const files = () => readViewFiles(join(root, '.ralph'));
  return orElse(() => importViews(files(), () => taskIdsInOrder(root, config.tracker)).notes, []);
}
