import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ralphGoldReport } from '../../../config/index.ts';
import { readViewFiles } from '../../../io/store/files/view-files.ts';
import { readFileBytes } from '../../../io/store/index.ts';
import { counted } from '../../../lib/counted.ts';
import { importViews } from '../../../state/index.ts';
import { taskIdsInOrder } from '../../setup/task-ids.ts';
import { check, type DoctorFinding, info, ok, some, warning } from '../check.ts';
import { orElse } from '../or-else.ts';
import type { Scene } from '../scene.ts';

/** Name of the run under which attempts of another program are kept. */
const IMPORTED_RUN = 'imported';

/** What a project of ralph-gold brought along; nothing is said where there is nothing of it. */
export const ralphGoldCheck = check({
  gather: (scene) => {
    const { root, state } = scene;
    const path = join(root, '.ralph', 'ralph.toml');
    const { moved, ignored } = ralphGoldReport(orElse(() => readFileBytes(path).toString('utf8'), ''));
    const tasks = Object.values(state.tasks);
    const attempts = tasks.flatMap((task) => task.attempts).filter(({ run }) => run === IMPORTED_RUN).length;
    const blocked = tasks.filter((task) => task.blocked?.run === IMPORTED_RUN).length;
    return {
      /** Keys of `.ralph/ralph.toml` that were translated: as written there, and what they are here. */
      moved,
      /** Settings without a counterpart. */
      ignored,
      rootFile: existsSync(join(root, 'ralph.toml')),
      /** Imported into the journal. */
      imported: attempts + blocked === 0 ? null : { attempts, blocked },
      /** What the first command with a journal will import. */
      toImport: toImport(scene),
    };
  },
  judge: ({ moved, ignored, rootFile, imported, toImport: notes }) => {
    const findings: DoctorFinding[] = [];
    if (moved.length > 0) {
      const names = moved.map(({ from, to }) => `${from} → ${to}`);
      const title = `${counted(moved.length, 'setting')} translated`;
      findings.push(ok('ralph_gold.settings', title, some(names, 4)));
    }
    if (ignored.length > 0) {
      const fix = 'Nothing is needed; remove them from .ralph/ralph.toml when you like.';
      const detail = ignored.map(shortened).join('; ');
      findings.push(info('ralph_gold.ignored', 'settings without a counterpart', detail, fix));
    }
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

/** Each note of the configuration repeats it. */
function shortened(note: string): string {
  return note.replace(/: (a setting|settings) of ralph-gold that ralph doesn't have, ignored$/, '');
}
