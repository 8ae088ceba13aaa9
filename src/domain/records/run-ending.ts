import * as z from 'zod/mini';

/** How a run ended. */
const RUN_ENDINGS = [
  'all_done',
  'max_iterations',
  'no_progress',
  'red_tree',
  'all_blocked',
  'awaiting_human',
  'break',
  'budget',
  'emergency_stop',
  'agent_unavailable',
  'interrupted',
  'crashed',
  'error',
] as const;
export const RunEnding = z.enum(RUN_ENDINGS);
export type RunEnding = z.infer<typeof RunEnding>;
