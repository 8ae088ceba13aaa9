import type { Attack } from '../attack.ts';
import { STATUS } from './1-status.ts';
import { JOURNAL_ATTACKS } from './2-journal.ts';
import { GIT } from './4-git.ts';
import { OF_FILES } from './5-files.ts';
import { GATES } from './6-gates.ts';
import { INSIDE } from './7-inside.ts';
import { CLAIMS } from './8-claims.ts';
import { SHOWN } from './9-shown.ts';
import { STARTED } from './10-started.ts';

/** All attacks, in the order of the points in docs/internals/attacks.md. */
export const ATTACKS: readonly Attack[] = [
  ...STATUS,
  ...JOURNAL_ATTACKS,
  ...GIT,
  ...OF_FILES,
  ...GATES,
  ...INSIDE,
  ...CLAIMS,
  ...SHOWN,
  ...STARTED,
];
