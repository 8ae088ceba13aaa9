import type { CommandRun, Purpose } from '../../domain/command-run.ts';
import type { TreeCopy } from '../../domain/ports.ts';
import { checkName, type ProverCheck } from '../../domain/prover.ts';
import { ask, specOf, type Tested } from '../../lab/index.ts';
import type { LoopContext } from '../context.ts';

/** Milliseconds that one run of a check may take. */
const CHECK_MS = 120_000;

export async function runCheck(
  context: LoopContext,
  {
    at,
    check: { command, files },
    why,
  }: { readonly at: number; readonly check: ProverCheck; readonly why: Purpose },
  tested: Tested,
): Promise<{ readonly ran: CommandRun | undefined; readonly touched: readonly string[] }> {
  const timeoutMs = Math.min(CHECK_MS, context.config.proof.max_time * 1000);
  const spec = { ...specOf(command), name: checkName(at), timeoutMs };
  const own = new Set(files.map(({ path }) => path));
  const touched: string[] = [];
  const onEnd = async (copy: TreeCopy) =>
    void touched.push(...(await copy.changed()).filter((path) => !own.has(path)));
  const [ran] = (await ask(context, [spec], tested, { why, files, onEnd })).results;
  return { ran, touched };
}
