// Prints how modelled nights of a fleet go: its argument is a list of `FleetNight`; the answer is a line of JSON for
// each.
import { type FleetNight, virtualFleetNight } from '../../test/helpers/virtual-fleet.ts';

for (const night of JSON.parse(process.argv[2] ?? '') as FleetNight[])
  process.stdout.write(`${JSON.stringify(await virtualFleetNight(night))}\n`);
