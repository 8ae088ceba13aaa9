import { prompt } from '../../app/commands/prompt.ts';
import type { Call } from '../call.ts';

/** Byte for byte, as the agent would get it. */
export async function run(call: Call, task: string | null = null) {
  const result = await prompt({ ...call, task });
  await call.print(result, () => (result.ok ? result.data.prompt : ''), true);
}
