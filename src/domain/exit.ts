/** Exit codes of `run` and `step` (spec cli.md). */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  workLeft: 3,
  allBlocked: 4,
  awaitingHuman: 5,
  break: 6,
  budget: 7,
  emergencyStop: 8,
  agentUnavailable: 9,
  locked: 10,
  sigint: 130,
  sigterm: 143,
} as const;
