import * as z from 'zod/mini';

/** How a run ended. */
const RUN_ENDINGS = [
  'all_done',
  /** All that `--task` names is done; other tasks are not. */
  'selected_done',
  'max_iterations',
  'no_progress',
  'red_tree',
  /** By `ralph stop`. */
  'stopped',
  /** The time of `--until`. */
  'until_reached',
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
