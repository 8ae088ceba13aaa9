import { ADAPTERS } from 'ralph-agents';
import { PACKAGE_HOSTS } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';

/**
 * Returns hosts for `[box] network`: those of the agents, and those from which the project's package managers download.
 */
export function hostsFor(agents: readonly string[], paths: Iterable<string>): readonly string[] {
  const names = new Set(Array.from(paths, nameOf));
  const ofAgents = Object.values(ADAPTERS).filter(({ name }) => agents.includes(name));
  const ofTools = PACKAGE_HOSTS.filter(([files]) => files.some((file) => names.has(file)));
  return [...new Set([...ofAgents.flatMap(({ hosts }) => hosts), ...ofTools.flatMap(([, hosts]) => hosts)])];
}
