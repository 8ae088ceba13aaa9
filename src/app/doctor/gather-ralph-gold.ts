import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ralphGoldReport } from '../../config/index.ts';
import type { Config } from '../../domain/config.ts';
import type { State } from '../../domain/state.ts';
import { readFileBytes } from '../../io/read-file.ts';
import { readViewFiles } from '../../io/store/files/view-files.ts';
import { importViews } from '../../state/index.ts';
import { taskIdsInOrder } from '../setup/task-ids.ts';
import type { RalphGoldFacts } from './facts.ts';
import { quietly } from './gather-store.ts';

/** Name of the run under which attempts of another program are kept. */
const IMPORTED_RUN = 'imported';

/** What comes from ralph-gold: settings that were translated, and the state that was taken over or will be. */
export function gatherRalphGold(
  root: string,
  config: Config,
  state: State,
  journal: 'absent' | 'present',
): RalphGoldFacts {
  const text = quietly(() => readFileBytes(join(root, '.ralph', 'ralph.toml')).toString('utf8'), '');
  const { moved, ignored } = ralphGoldReport(text);
  const tasks = Object.values(state.tasks);
  const attempts = tasks.flatMap((task) => task.attempts).filter(({ run }) => run === IMPORTED_RUN).length;
  const blocked = tasks.filter((task) => task.blocked?.run === IMPORTED_RUN).length;
  return {
    moved,
    ignored,
    rootFile: existsSync(join(root, 'ralph.toml')),
    imported: attempts + blocked === 0 ? null : { attempts, blocked },
    toImport:
      journal === 'present'
        ? []
        : quietly(
            () =>
              importViews(readViewFiles(join(root, '.ralph')), () => taskIdsInOrder(root, config.tracker))
                .notes,
            [],
          ),
  };
}
