// Prints how each night goes that is asked for: its argument is a list of `FleetNight`, a line of JSON answers each.
import { type FleetNight, virtualFleetNight } from '../../test/helpers/virtual-fleet.ts';

for (const night of JSON.parse(process.argv[2] ?? '') as FleetNight[])
  process.stdout.write(`${JSON.stringify(await virtualFleetNight(night))}\n`);
