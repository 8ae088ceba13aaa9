import { BUILT_IN_AGENTS, OVER_ACP_ALONE } from 'ralph-agents/known';
import { nearest } from 'ralph-kit/nearest';
import type { Config } from '../domain/config.ts';
import { BUILT_IN_MODES, channelOf } from '../domain/config.ts';
import type { KeyIssue } from './check-shape.ts';
import type { KeyPath } from './key-path.ts';
import { showKey } from './key-path.ts';

/** Checks across keys: names that must exist, and values that must agree. */
export function checkMeaning(config: Config): KeyIssue[] {
  return [
    ...checkMode(config),
    ...checkAgents(config),
    ...checkRunners(config),
    ...checkTimeouts(config),
    ...checkGates(config),
    ...checkWorkers(config),
    ...checkReview(config),
    ...checkWorkflow(config),
    ...checkStrategy(config),
  ];
}

function checkStrategy({ interventions: { strategy } }: Config): KeyIssue[] {
  if (strategy.type !== 'custom' || strategy.module !== '') return [];
  const keyOf = (name: string) => ['interventions', 'strategy', name];
  const path = keyOf('type');
  return [{ path, message: `${showKey(path)}: "custom" needs a module: set ${showKey(keyOf('module'))}` }];
}

/** The maker is the run's agent, which other sections choose. */
function checkWorkflow({ workflow: { roles } }: Config): KeyIssue[] {
  const elsewhere = { agent: '[loop] agent', model: '[runners.NAME] model', template: '[files] prompt' };
  return (Object.keys(elsewhere) as (keyof typeof elsewhere)[])
    .filter((key) => roles.maker?.[key] !== undefined)
    .map((key) => ({
      path: ['workflow', 'roles', 'maker', key],
      message: `workflow.roles.maker.${key}: the maker is the agent of the run; set ${elsewhere[key]} instead`,
    }));
}

/** Returns channels for emergency stops that have no address in `[notify]`. */
export function withoutAddress({ interventions, notify }: Config): KeyIssue[] {
  const path = ['interventions', 'notification_channels'];
  const isSet = {
    command: notify.command !== '',
    desktop: notify.desktop !== false,
    webhook: notify.webhook !== '',
    telegram: notify.telegram !== undefined,
    ntfy: notify.ntfy !== '',
  };
  return interventions.notification_channels.flatMap((channel) => {
    const key = channelOf(channel);
    if (isSet[key]) return [];
    const where = channel === 'email' ? ' (docs/CONFIGURATION.md, "Mail", has the line)' : '';
    return [
      {
        path,
        message: `${showKey(path)}: ${JSON.stringify(channel)} isn't set up: set [notify] ${key}${where}`,
      },
    ];
  });
}

function unknownName(path: KeyPath, what: string, found: string, known: readonly string[]): KeyIssue {
  const near = nearest(found, known);
  const hint = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const message = `${showKey(path)}: expected ${what} (${known.join(', ')}), found ${JSON.stringify(found)}${hint}`;
  return { path, message };
}

function checkMode(config: Config): KeyIssue[] {
  const known = [...new Set([...Object.keys(BUILT_IN_MODES), ...Object.keys(config.modes)])];
  const { mode } = config.loop;
  return known.includes(mode) ? [] : [unknownName(['loop', 'mode'], 'the name of a mode', mode, known)];
}

function unknownAgent(path: KeyPath, agent: string, known: readonly string[]): KeyIssue {
  const issue = unknownName(path, 'an agent', agent, known);
  if (nearest(agent, known) !== null) return issue;
  return { path, message: `${issue.message}; one of your own needs ${showKey(['runners', agent, 'argv'])}` };
}

function checkAgents(config: Config): KeyIssue[] {
  const agents = [...new Set([...BUILT_IN_AGENTS, 'scripted', ...Object.keys(config.runners)])];
  const check = (path: KeyPath, agent: string | undefined, known: readonly string[]): KeyIssue[] =>
    agent === undefined || known.includes(agent) ? [] : [unknownAgent(path, agent, known)];
  // A mode's agent replaces the loop's, so it is reported once.
  const { agent, mode } = config.loop;
  const fromMode = Object.hasOwn(config.modes, mode) && config.modes[mode]?.agent === agent;
  return [
    ...(fromMode ? [] : check(['loop', 'agent'], agent, ['auto', ...agents])),
    ...config.loop.fallback.flatMap((agent, index) => check(['loop', 'fallback', index], agent, agents)),
    ...Object.entries(config.modes).flatMap(([name, mode]) =>
      check(['modes', name, 'agent'], mode.agent, ['auto', ...agents]),
    ),
  ];
}

function checkRunners(config: Config): KeyIssue[] {
  return Object.entries(config.runners).flatMap(([name, { argv, scenario, protocol }]): KeyIssue[] => {
    const ofAcp = protocol === 'acp' ? OVER_ACP_ALONE : [];
    const known = [...BUILT_IN_AGENTS, ...ofAcp, 'scripted'].includes(name) || scenario !== undefined;
    if (argv === undefined && known) return [];
    if ((argv?.[0] ?? '').trim() !== '') return [];
    const path = argv === undefined ? ['runners', name] : ['runners', name, 'argv'];
    const found = argv === undefined ? 'no argv' : argv.length === 0 ? 'an empty list' : 'no program in it';
    const section = `[${showRunner(name)}]`;
    return [{ path, message: `${section} argv: expected ["PROGRAM", "ARGUMENT", "-"], found ${found}` }];
  });
}

function showRunner(name: string): string {
  return showKey(['runners', name, 'argv']).replace(/^\[|\].*$/g, '');
}

function checkTimeouts(config: Config): KeyIssue[] {
  const { min_timeout: min, max_timeout: max } = config.adaptive_timeout;
  if (min <= max) return [];
  const path = ['adaptive_timeout', 'min_timeout'];
  const message = `${showKey(path)}: expected at most max_timeout (${max} s), found ${min} s`;
  return [{ path, with: ['adaptive_timeout', 'max_timeout'], message }];
}

function checkGates(config: Config): KeyIssue[] {
  const issues: KeyIssue[] = [];
  const names = new Set<string>();
  for (const [index, entry] of config.gates.commands.entries()) {
    const path = ['gates', 'commands', index];
    const { name, run } = typeof entry === 'string' ? { name: undefined, run: entry } : entry;
    if (run.trim() === '')
      issues.push({ path, message: `${showKey(path)}: expected a command, found nothing` });
    if (name === undefined) continue;
    const wrong = name.trim() === '' ? 'expected a name, found nothing' : 'expected a name used once';
    if (name.trim() === '' || names.has(name)) {
      const found = name.trim() === '' ? '' : `, found ${JSON.stringify(name)} again`;
      issues.push({ path: [...path, 'name'], message: `${showKey([...path, 'name'])}: ${wrong}${found}` });
    }
    names.add(name);
  }
  return issues;
}

/** Thresholds that don't rise make a level impossible. */
function checkReview({ review: { risk, rationality } }: Config): KeyIssue[] {
  const rising = (section: string, keys: readonly (readonly [name: string, value: number])[]): KeyIssue[] =>
    keys.flatMap(([name, value], index) => {
      const [before, least] = keys[index - 1] ?? ['', 0];
      if (value >= least) return [];
      const path = ['review', section, name];
      return [{ path, message: `${showKey(path)}: expected at least ${before} (${least}), found ${value}` }];
    });
  return [
    ...rising('risk', [
      ['low_threshold', risk.low_threshold],
      ['medium_threshold', risk.medium_threshold],
      ['high_threshold', risk.high_threshold],
      ['critical_threshold', risk.critical_threshold],
    ]),
    ...rising('rationality', [
      ['low_threshold', rationality.low_threshold],
      ['medium_threshold', rationality.medium_threshold],
      ['high_threshold', rationality.high_threshold],
    ]),
  ];
}

function checkWorkers(config: Config): KeyIssue[] {
  const { workers } = config.parallel;
  if (workers <= 1 || config.git.branch_strategy !== 'per_task') return [];
  const path = ['parallel', 'workers'];
  const message = `${showKey(path)}: ${workers} workers need one branch; expected 1, or [git] branch_strategy = "none" or "per_run"`;
  return [{ path, message }];
}
