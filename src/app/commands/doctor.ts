import { realpathSync, statSync } from 'node:fs';
import { ADAPTERS } from '../../agent/index.ts';
import type { AgentName } from '../../domain/agents.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import type { BuiltInFacts, ConfigFacts } from '../doctor/facts.ts';
import { countByStatus, decideFindings } from '../doctor/findings.ts';
import { gather } from '../doctor/gather.ts';
import { type CommandResult, failure, success } from '../result.ts';
import { clean } from '../setup/check-trust.ts';
import { formatProblems } from '../setup/load-config.ts';

export type DoctorInput = { readonly cwd: string; readonly show: 'findings' | 'config' | 'agents' };

/** `ralph doctor`: looks, never writes, and works where everything else refuses. Exit code 2 with an error. */
export async function doctor(input: DoctorInput): Promise<CommandResult> {
  let folder: string;
  try {
    folder = realpathSync(input.cwd);
  } catch {
    return failure(`There is no folder ${input.cwd}.`, 'Name an existing folder with --cwd.');
  }
  if (!statSync(folder).isDirectory()) return failure(`${folder} is no folder.`, 'Name a folder with --cwd.');
  const facts = await gather(folder, {});
  switch (input.show) {
    case 'config':
      return configResult(facts.config);
    case 'agents':
      return success({ agents: facts.agents.builtIn.map(agentRow), chosen: facts.agents.chosen });
    case 'findings': {
      const findings = decideFindings(facts).map((finding) => ({
        ...finding,
        title: clean(finding.title),
        detail: clean(finding.detail),
      }));
      const counts = countByStatus(findings);
      return success({ counts, findings }, counts.error > 0 ? 2 : 0);
    }
  }
}

function configResult({ problems, entries }: ConfigFacts): CommandResult {
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
  const { hook, usage } = ADAPTERS[name as AgentName];
  return {
    name,
    path,
    version,
    signed_in: signedIn,
    gate: hook.transport,
    can_modify: hook.can.modify,
    mid_stream: hook.transport === 'control channel',
    usage,
    resume: true,
  };
}
