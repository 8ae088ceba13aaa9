import type { Config } from '../../domain/config.ts';
import type { RoleAgent } from '../../loop/context.ts';
import { type Failure, failure } from '../result.ts';
import { adapterNamed, isAgentInstalled } from './choose-agent.ts';

type Setup = { readonly ok: true; readonly prover: RoleAgent | null };

/** Returns the agent of `[proof] prover`; `null`: none is named. Fails if it isn't installed. */
export function proverSetup(
  root: string,
  config: Config,
  agents: readonly RoleAgent['adapter'][],
): Setup | Failure {
  const { mode, prover: name } = config.proof;
  if (mode === 'off' || name === '') return { ok: true, prover: null };
  const known = agents.find((one) => one.name === name);
  const made = known === undefined ? adapterNamed(name, root, config) : { ok: true as const, adapter: known };
  if (!made.ok) return { ...made, message: `[proof] prover: ${made.message}` };
  if (known === undefined && !isAgentInstalled(name, root, config))
    return failure(
      `The agent ${name} of [proof] prover is not installed.`,
      'Install it, or name another one: [proof] prover.',
    );
  return { ok: true, prover: { adapter: made.adapter, model: null } };
}
