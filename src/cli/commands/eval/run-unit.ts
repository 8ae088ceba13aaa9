import { runJob } from '../../../evaluate/evaluate.ts';
import type { Call } from '../../call.ts';

/** One run of an evaluation, in a process of its own. */
export async function run(_call: Call, file: string) {
  await runJob(file);
}
