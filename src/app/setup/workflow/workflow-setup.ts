import { own } from 'ralph-kit/own';
import type { Config } from '../../../domain/config.ts';
import { type Role, workflowRoles } from '../../../domain/workflow/roles.ts';
import type { RoleAgent, RoleAgents, WorkflowSetup } from '../../../loop/context.ts';
import { type Failure, failure } from '../../result.ts';
import { adapterNamed, isHere } from '../choose-agent.ts';

type Setup = { readonly ok: true; readonly workflow: WorkflowSetup | null };

/**
 * Returns the agents of all roles; the first of `agents` is the maker. Fails if a configured one isn't installed,
 * because no other agent may review in its place.
 */
export function workflowSetup(
  root: string,
  config: Config,
  agents: readonly RoleAgent['adapter'][],
): Setup | Failure {
  const { kind, max_cycles: maxCycles, roles } = config.workflow;
  if (kind === 'solo') return { ok: true, workflow: null };
  const [maker] = agents;
  if (maker === undefined) throw new Error('a run has an agent');
  const wanted = workflowRoles(kind);
  const made = new Map<string, RoleAgent['adapter']>(agents.map((one) => [one.name, one]));
  const named = (role: Role, name: string): RoleAgent['adapter'] | Failure => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const adapter = adapterNamed(name, root, config);
    if (!adapter.ok) return { ...adapter, message: `[workflow.roles.${role}] ${adapter.message}` };
    if (!isHere(name, root, config))
      return failure(
        `The agent ${name} of [workflow.roles.${role}] is not installed.`,
        `Install it, or name another one: [workflow.roles.${role}] agent.`,
      );
    made.set(name, adapter.adapter);
    return adapter.adapter;
  };
  const firsts = new Map<Role, RoleAgent>();
  const replacements = new Map<Role, RoleAgent>();
  for (const role of wanted) {
    const { agent, model = null, replacement } = roles[role] ?? {};
    const name = agent ?? maker.name;
    const adapter = named(role, name);
    if ('ok' in adapter) return adapter;
    if (model !== null && own(config.runners, name)?.argv !== undefined)
      return failure(
        `${name} is a command of your own, so [workflow.roles.${role}] model can't be passed to it.`,
        `Name the model in [runners.${name}] argv.`,
      );
    firsts.set(role, { adapter, model });
    if (replacement === undefined) continue;
    const other = named(role, replacement);
    if ('ok' in other) return other;
    replacements.set(role, { adapter: other, model: null });
  }
  const all: readonly RoleAgent[] = [
    ...agents.map((adapter) => ({ adapter, model: null })),
    ...firsts.values(),
  ];
  const agentsByRole = [...firsts].map(([role, first]): [Role, RoleAgents] => {
    const asked = replacements.get(role);
    const others = distinct(asked === undefined ? all : [asked, ...all]);
    return [role, { first, others }];
  });
  return { ok: true, workflow: { kind, maxCycles, agents: new Map(agentsByRole) } };
}

export function agentsOfRoles(workflow: WorkflowSetup | null): readonly RoleAgent['adapter'][] {
  return [...(workflow?.agents.values() ?? [])]
    .flatMap(({ first, others }) => [first, ...others])
    .map(({ adapter, model }) => (model === null ? adapter : { ...adapter, model }));
}

function distinct(agents: readonly RoleAgent[]): RoleAgent[] {
  return [...new Map(agents.map((one) => [`${one.adapter.name} ${one.model}`, one])).values()];
}
