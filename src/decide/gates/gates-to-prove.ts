import type { GateBaseline, GateResult, GateSpec } from '../../domain/gate.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import { isFailing } from '../../gates/index.ts';
import { own } from '../../lib/own.ts';
import { nameOf } from '../../lib/paths.ts';

/** Files that say what is installed: with other packages any gate may come out otherwise. */
const INSTALLED =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.(?:json|lock)|requirements.*\.txt|pyproject\.toml|setup\.(?:py|cfg)|(?:poetry|uv|Pipfile)\.lock|Pipfile|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|pom\.xml|build\.gradle(?:\.kts)?|gradle\.lockfile|Gemfile(?:\.lock)?|.*\.gemspec|composer\.(?:json|lock)|mix\.(?:exs|lock)|.*\.csproj|packages\.lock\.json|flake\.(?:nix|lock))$/;

type Ended = {
  readonly attempts: readonly AttemptSummary[];
  /** Paths that the series changed, and those that you changed meanwhile. */
  readonly work: readonly string[];
  readonly yours: readonly string[];
};

/**
 * The gates by which the tree is proven after the work of a series was taken out of it: those that it broke; all where it
 * changed what is installed, or where you changed something meanwhile. None where nothing speaks against the tree.
 */
export function gatesToProve(
  specs: readonly GateSpec[],
  { attempts, work, yours }: Ended,
): readonly GateSpec[] {
  if (work.some((path) => INSTALLED.test(nameOf(path)))) return specs;
  const broken = new Set(attempts.flatMap(({ failedGates }) => failedGates));
  if (broken.size > 0 && yours.length > 0) return specs;
  return specs.filter(({ name }) => broken.has(name));
}

/** Gates that passed on the verified tree and fail now. */
export function notReproduced(
  results: readonly GateResult[],
  reference: GateBaseline | null,
): readonly string[] {
  return results.flatMap(({ name, outcome }) => {
    const before = reference === null ? undefined : own(reference.outcomes, name);
    return isFailing(outcome) && before?.kind === 'passed' ? [name] : [];
  });
}
