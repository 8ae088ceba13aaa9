import type { Opened } from 'ralph-box/protocol';
import { narrow } from 'ralph-kit/narrow';
import type { GateResult, GateSpec } from '../../domain/gate.ts';
import { refusedHosts } from '../../domain/run-report.ts';
import { ask, askThere, type Tested } from '../../lab/index.ts';
import { blindedText, type Opening, openedLine, openingFor } from '../../proof/gates/index.ts';
import type { JudgeContext } from '../context.ts';

/**
 * Runs failing gates once outside of the box, to see whether the box is the cause. Only before any agent has worked
 * here: later this would run the agent's code.
 */
export async function blindedGates(
  context: JudgeContext,
  fresh: readonly GateResult[],
  tested: Tested,
): Promise<string[]> {
  const { ports, gates, home } = context;
  if (!ports.proc.isBoxed || ports.store.state.counters.iteration > 0) return [];
  const red = fresh.filter(({ outcome: { kind } }) => kind === 'failed' || kind === 'tool_missing');
  const names = new Set(red.map(({ name }) => name));
  const outside = gates
    .filter(({ box, name }) => box && names.has(name))
    .map((spec) => ({ ...spec, box: false }));
  if (outside.length === 0) return [];
  const refused = refusedHosts(ports.store.state.events);
  // The failure may come from a clean copy without ignored files, so they are kept in it.
  const needs = { keep: await ports.git.notInstalled(), build: null };
  const { results } = await ask(context, outside, tested, { needs, why: 'outside' });
  const texts: string[] = [];
  for (const { name } of results.filter(({ outcome }) => outcome.kind === 'passed')) {
    const output = red.find((one) => one.name === name)?.outputTail ?? '';
    const spec = gates.find((one) => one.name === name);
    const opening =
      openingFor(output, home ?? '/', refused) ??
      (spec === undefined ? null : await searched(context, spec, tested));
    texts.push(blindedText(name, opening));
  }
  return texts;
}

const MOST_TRIALS = 24;

/**
 * Returns the smallest part of your home folder and environment with which the gate passes in the box, searched by
 * halves; `null`: nothing helps.
 */
async function searched(
  context: JudgeContext,
  spec: GateSpec,
  { base: { commit }, tree, folder }: Tested,
): Promise<Opening | null> {
  const { ports, home } = context;
  const closed = ports.proc.closed();
  const links = ports.proc.linksNotShown().map((path) => ({ variable: '', path }));
  const all = [
    ...closed.variables.map((name) => ({ variable: name, path: '' })),
    ...closed.paths.map((path) => ({ variable: '', path })),
  ];
  const openedOf = (part: typeof all): Opened => ({
    paths: part.flatMap(({ path }) => path || []),
    variables: part.flatMap(({ variable }) => variable || []),
  });
  const isEnough = async (part: readonly (typeof all)[number][]) => {
    if (ports.stop.polite.aborted) return false;
    const here = { place: 'agents-copy', commit, tree, folder, why: 'opened' } as const;
    const there = { ...here, copy: ports.work.mounted };
    const [ran] = await askThere(context, [spec], there, { opened: openedOf([...part]) });
    return ran?.outcome.kind === 'passed';
  };
  if (await isEnough([])) return null;
  const isByLinks = links.length > 0 && (await isEnough(links));
  const needed = await narrow(isByLinks ? links : all, isEnough, MOST_TRIALS);
  return needed === null ? null : openedLine(openedOf([...needed]), home ?? '/');
}
