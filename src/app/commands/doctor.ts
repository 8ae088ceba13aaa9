import { ACP_PROGRAMS, ADAPTERS } from '../../agent/index.ts';
import type { AgentName } from '../../lib/agents.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import type { DoctorFinding } from '../doctor/check.ts';
import { agentsCheck, type BuiltInFacts } from '../doctor/checks/agents.ts';
import { runChecks } from '../doctor/index.ts';
import { openScene, type Scene } from '../doctor/scene.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { clean } from '../setup/check-trust.ts';
import { formatProblems } from '../setup/load-config.ts';
import { realFolder } from '../setup/work-tree.ts';

export type DoctorResult = DataOf<typeof doctor>;
export type DoctorConfigResult = DataOf<typeof doctorConfig>;
export type DoctorAgentsResult = DataOf<typeof doctorAgents>;

type DoctorInput = { readonly cwd: string };

/** `ralph doctor`: reads, never writes, and works where everything else refuses. Exit code 2 with an error. */
export function doctor(input: DoctorInput) {
  return inScene(input, async (scene) => {
    const findings = (await runChecks(scene)).map((finding) => ({
      ...finding,
      title: clean(finding.title),
      detail: clean(finding.detail),
    }));
    const count = (status: DoctorFinding['status']) => findings.filter((one) => one.status === status).length;
    const counts = { ok: count('ok'), info: count('info'), warning: count('warning'), error: count('error') };
    return success({ counts, findings }, counts.error > 0 ? 2 : 0);
  });
}

/** `ralph doctor --config`: every value of the configuration with where it came from. */
export function doctorConfig(input: DoctorInput) {
  return inScene(input, async ({ configFiles: { problems, entries } }) => {
    if (problems.length > 0) return failure(formatProblems(problems), 'ralph doctor');
    const secrets = secretsFromEnv(process.env);
    return success({
      values: entries.map(({ key, value, layer, source, line }) => ({
        key,
        value: redacted(key, value, secrets),
        layer,
        source,
        line,
      })),
    });
  });
}

/** `ralph doctor --agents`: what ralph can do with each agent. */
export function doctorAgents(input: DoctorInput) {
  return inScene(input, async (scene) => {
    const { builtIn, chosen } = await agentsCheck.gather(scene);
    return success({ agents: builtIn.map(agentRow), chosen });
  });
}

async function inScene<R>({ cwd }: DoctorInput, work: (scene: Scene) => Promise<R>): Promise<R | Failure> {
  const folder = realFolder(cwd);
  return folder.ok ? work(await openScene(folder.path)) : folder;
}

/** Variables that are given to agents may be secrets, whatever they look like. */
function redacted(key: string, value: unknown, secrets: readonly string[]): unknown {
  if (/\.env\./.test(key) && secretsFromEnv({ [key.split('.').at(-1) ?? '']: String(value) }).length > 0) {
    return '[redacted]';
  }
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redacted('', item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redacted(name, inner, secrets)]),
  );
}

function agentRow({ name, path, version, signedIn }: BuiltInFacts) {
  const { hook, resumes, usage } = ADAPTERS[name as AgentName];
  return {
    name,
    path,
    version,
    signed_in: signedIn,
    /** How it asks before it acts. */
    review: hook.transport,
    can_modify: hook.can.modify,
    mid_stream: hook.transport === 'control channel',
    resume: resumes,
    tokens: usage.tokens,
    cost: usage.cost,
    /** Before which actions it was seen to ask over the Agent Client Protocol; `null`: it isn't spoken to by it. */
    acp: acpOf(name),
  };
}

function acpOf(name: string) {
  const program = ACP_PROGRAMS.get(name);
  if (program === undefined) return null;
  const { edits, commands, network } = program;
  return { edits, commands, network };
}
