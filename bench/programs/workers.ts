// Prints how many times as fast a number of workers is as one, by ralph's own queue on a virtual clock: one line for
// each argument.
import { virtualNight } from '../../test/helpers/virtual-night.ts';

const [tasks = 0, places = 0, agent = 0, gates = 0, ...counts] = process.argv.slice(2).map(Number);
const night = { tasks, places, agent, gates };
const alone = await virtualNight({ ...night, workers: 1 });
for (const workers of counts)
  process.stdout.write(`${alone / (await virtualNight({ ...night, workers }))}\n`);
