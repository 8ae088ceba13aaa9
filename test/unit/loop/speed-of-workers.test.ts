import { expect, it } from 'vitest';
import { virtualNight } from '../../helpers/virtual-night.ts';

const NIGHT = { tasks: 240, places: 2, agent: 10, gates: 2 };

async function speed(workers: number, night = NIGHT): Promise<number> {
  const alone = await virtualNight({ ...night, workers: 1 });
  expect(alone).toBe(night.tasks * (night.agent + night.gates));
  return alone / (await virtualNight({ ...night, workers }));
}

it('more workers are a faster night, up to what the gates let through', async () => {
  expect(await speed(2)).toBeGreaterThanOrEqual(1.9);
  expect(await speed(4)).toBeGreaterThanOrEqual(3.4);
  expect(await speed(16)).toBeGreaterThanOrEqual(await speed(8));
});

it('eight workers whose agents take a minute are more than six times as fast', async () => {
  expect(await speed(8, { ...NIGHT, agent: 60 })).toBeGreaterThanOrEqual(6.5);
});
