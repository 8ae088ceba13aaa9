// Ends the orphans of a repository and prints how many were found: node reap-driver.mjs ROOT.

import { reapOrphans } from 'ralph-kit/programs/table/orphans';
import { systemClock } from '../../../src/io/clock.ts';

const { orphans, survivors } = await reapOrphans(process.argv[2] ?? '', systemClock());
process.stdout.write(`found ${orphans.length} survivors ${survivors.length}\n`);
