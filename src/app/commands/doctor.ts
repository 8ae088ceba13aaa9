import { ACP_PROGRAMS, ADAPTERS } from 'ralph-agents';
import type { AgentName } from 'ralph-agents/known';
import { redact, secretsFromEnv } from 'ralph-kit/redact';
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

export type DoctorInput = { readonly cwd: string };

/** Only reads, and works even where every other command refuses to. Exit code 2 means at least one error. */
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

export function doctorConfig(input: DoctorInput) {
  return inScene(input, async (scene) => {
    const { problems } = scene.configFiles;
    if (problems.length > 0) return failure(formatProblems(problems), 'ralph doctor');
    return success({ values: settingsOf(scene) });
  });
}

/** Returns every configuration value with its origin, without secrets; empty if the configuration has errors. */
export function settingsOf({ configFiles: { entries } }: Scene) {
  const secrets = secretsFromEnv(process.env);
  return entries.map(({ key, value, layer, source, line }) => ({
    key,
    value: redacted(key, value, secrets),
    layer,
    source,
    line,
  }));
}

export function doctorAgents(input: DoctorInput) {
  return inScene(input, async (scene) => {
    const { builtIn, chosen } = await agentsCheck.gather(scene);
    return success({ agents: builtIn.map(agentRow), chosen });
  });
}

/** Calls `work` with what can be read of the folder, even if `.ralph/` is broken. */
export async function inScene<R>(
  { cwd }: DoctorInput,
  work: (scene: Scene) => Promise<R>,
): Promise<R | Failure> {
  const folder = realFolder(cwd);
  return folder.ok ? work(await openScene(folder.path)) : folder;
}

/** A variable passed to agents may be a secret under any name. */
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
    review: hook.transport,
    can_modify: hook.can.modify,
    mid_stream: hook.transport === 'control channel',
    resume: resumes,
    tokens: usage.tokens,
    cost: usage.cost,
    /**
     * Actions for which the agent asks permission over the Agent Client Protocol, as measured; `null`: it doesn't use
     * the protocol.
     */
    acp: acpOf(name),
  };
}

function acpOf(name: string) {
  const program = ACP_PROGRAMS.get(name);
  if (program === undefined) return null;
  const { edits, commands, network } = program;
  return { edits, commands, network };
}
