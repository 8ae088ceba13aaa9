// Ends the orphans of a repository and prints how many were found: node reap-driver.mjs ROOT.
import { systemClock } from '../../../src/io/clock.ts';
import { reapOrphans } from '../../../src/io/proc/index.ts';

const { found, survivors } = await reapOrphans(process.argv[2] ?? '', systemClock());
process.stdout.write(`found ${found.length} survivors ${survivors.length}\n`);
