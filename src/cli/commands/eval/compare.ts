import { compare } from '../../../evaluate/evaluate.ts';
import type { Call } from '../../call.ts';
import { comparisonText } from '../../render/evaluation.ts';

/** `ralph eval compare` */
export async function run(call: Call, a: string, b: string) {
  await call.print(await compare({ cwd: call.cwd, a, b }), comparisonText);
}
