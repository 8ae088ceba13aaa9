import { BIN, median, ROUNDS, repository, timed } from '../tools.mjs';

const COMMANDS = { '--version': 1.25, '--help': 1.25, status: 1.6, interventions: 1.6, blocked: 1.6 };

export const startUp = {
  id: 'start-up',
  run: () => {
    const { folder } = repository(10, 3);
    return Object.entries(COMMANDS).map(([argument, promise]) => {
      const [ralph, bare] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ralph.push(timed([BIN, argument], folder));
        bare.push(timed(['-e', '0'], folder));
      }
      return {
        what: `start-up of ${argument}, to node -e 0`,
        value: median(ralph),
        baseline: median(bare),
        unit: 'ms',
        atMost: promise,
        rounds: ROUNDS,
      };
    });
  },
};
