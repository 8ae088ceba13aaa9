import { unreachable } from '../../lib/unreachable.ts';
import type { DoctorFacts, GateFacts } from './facts.ts';
import { counted, type DoctorFinding, error, info, ok, some, warning } from './finding.ts';

/** Configuration, trust, task list, gates. */
export function projectFindings(facts: DoctorFacts): DoctorFinding[] {
  return [
    ...configFindings(facts),
    ...trustFindings(facts),
    ...trackerFindings(facts),
    ...gateFindings(facts),
  ];
}

function configFindings({ config }: DoctorFacts): DoctorFinding[] {
  const at = ({ source, line }: { source: string; line: number | null }) =>
    `${source}${line === null ? '' : `:${line}`}`;
  const problems = config.problems.map((problem) =>
    error(
      'config.problem',
      at(problem),
      problem.message,
      `Correct it in ${at(problem)}; docs/CONFIGURATION.md lists all keys.`,
    ),
  );
  // The settings of ralph-gold are told as one finding of their own.
  const warnings = config.warnings
    .filter(({ message }) => !message.includes('of ralph-gold'))
    .map((one) =>
      warning('config.warning', at(one), one.message, `Take it out or correct it in ${at(one)}.`),
    );
  if (problems.length > 0) return [...problems, ...warnings];
  const origins = config.entries.filter(({ layer }) => layer !== 'built-in').length;
  const title = config.projectFile ? '.ralph/ralph.toml' : 'no .ralph/ralph.toml: built-in defaults';
  return [
    ok('config.read', title, `${counted(origins, 'value')} of your own; ralph doctor --config shows all`),
    ...warnings,
  ];
}

function trustFindings({ trust }: DoctorFacts): DoctorFinding[] {
  if (trust === null) return [];
  switch (trust.kind) {
    case 'nothing_runs':
      return [ok('trust.state', 'nothing to accept', 'the repository names no command and no template')];
    case 'trusted':
      return [ok('trust.state', 'accepted', counted(trust.items.length, 'item'))];
    case 'untrusted': {
      const detail = some(trust.items.map(({ kind, name }) => `${kind} ${name}`));
      if (trust.byEnvironment) {
        return [info('trust.state', 'accepted by RALPH_TRUST alone', detail, 'ralph trust remembers it.')];
      }
      return [error('trust.state', 'commands that nobody has accepted', detail, 'ralph trust')];
    }
    default:
      return unreachable(trust.kind);
  }
}

function trackerFindings({ tracker }: DoctorFacts): DoctorFinding[] {
  if (tracker === null) return [];
  switch (tracker.kind) {
    case 'github':
      return tracker.gh
        ? [ok('tasks.github', 'GitHub issues, through gh', 'not fetched here; ralph tasks does')]
        : [
            error(
              'tasks.github',
              'gh was not found',
              '[tracker] kind = "github" needs it',
              'Install gh, then: gh auth login',
            ),
          ];
    case 'failed':
      return [error('tasks.read', 'no task list', tracker.message, 'ralph init, or set [tracker] path.')];
    case 'read': {
      const counts = Object.entries(tracker.counts).map(
        ([status, count]) => `${count} ${status.replace('_', ' ')}`,
      );
      const read =
        tracker.total === 0
          ? error(
              'tasks.read',
              tracker.name,
              'it holds no tasks',
              `Add boxes such as - [ ] Add a README to ${tracker.name}.`,
            )
          : ok('tasks.read', tracker.name, `${tracker.format}: ${counts.join(', ')}`);
      const problems = tracker.problems.map((message) =>
        warning('tasks.problem', 'unclear entry', message, `Correct it in ${tracker.name}.`),
      );
      const dependencies = tracker.dependencies.map((message) =>
        error(
          'tasks.dependency',
          'dependencies that cannot be met',
          message,
          `Correct it in ${tracker.name}.`,
        ),
      );
      return [read, ...dependencies, ...problems];
    }
    default:
      return unreachable(tracker);
  }
}

function gateFindings({ gates }: DoctorFacts): DoctorFinding[] {
  if (gates.length === 0) {
    const detail = 'only the work tree and the claims of the agent are judged';
    return [info('gates.none', 'no gates', detail, 'Name your checks: [gates] commands = ["npm test"]')];
  }
  return gates.map((gate) => gateFinding(gate));
}

function gateFinding({ name, run, tool, found, onMissing }: GateFacts): DoctorFinding {
  if (tool === null) return ok('gates.tool', name, run === name ? '' : run);
  if (found) return ok('gates.tool', name, run === name ? `${tool} is there` : run);
  const detail = `${tool} was not found, which "${run}" begins with`;
  const mend = `Install ${tool}, or set on_missing = "warn" or "skip" for this gate.`;
  return onMissing === 'fail'
    ? error('gates.tool', name, detail, mend)
    : warning('gates.tool', name, `${detail}; on_missing = "${onMissing}"`, mend);
}
