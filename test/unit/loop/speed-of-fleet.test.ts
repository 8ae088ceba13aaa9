import { expect, it } from 'vitest';
import { type FleetNight, virtualFleetNight } from '../../helpers/virtual-fleet.ts';

const COSTS = {
  ...{ step: 0.1, offer: 0.2, look: 0.05, take: 0.5, merge: 0.8, claim: 0.2, begin: 0.1, deliver: 0.2 },
  share: { run: 0.6, worker: 0.6 },
};
const NIGHT: FleetNight = {
  ...{ workers: 1, tasks: 40, agent: 60, gates: 2, places: 1, processors: 2, together: false, costs: COSTS },
};

async function perHour(given: Partial<FleetNight>): Promise<number> {
  const night = { ...NIGHT, ...given };
  return (night.tasks * 3600) / (await virtualFleetNight(night)).seconds;
}

it('a fleet is faster with each worker, up to what is tested and landed one after the other', async () => {
  const [one, four, many] = [
    await perHour({}),
    await perHour({ workers: 4 }),
    await perHour({ workers: 40 }),
  ];
  expect(one).toBeGreaterThan(3600 / 66);
  expect(one).toBeLessThan(3600 / 63);
  expect(four / one).toBeGreaterThan(3.6);
  expect(many).toBeGreaterThan(four);
  expect(many).toBeLessThan(3600 / (NIGHT.gates + COSTS.merge));
  const { busy } = await virtualFleetNight({ ...NIGHT, tasks: 200, workers: 40 });
  expect(busy.merger).toBeGreaterThan(0.9);
});

it('no delivery is missed that comes while the remote is asked', async () => {
  // A job is looked up each minute, two leases: these are delivered while that takes its time.
  const costs = { ...COSTS, look: 2, claim: 0, begin: 0, deliver: 0.5, offer: 0, step: 0 };
  for (const agent of [61, 62, 63]) {
    const { seconds } = await virtualFleetNight({ ...NIGHT, tasks: 4, agent, gates: 0, costs });
    expect(seconds).toBeLessThan(4 * (agent + 8));
  }
});
