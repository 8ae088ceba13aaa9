import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_OWN_FILES } from 'ralph-actions/forms/place';
import { reviewAction } from 'ralph-actions/review';
import { adapterFor, addToReport, finishReport, startReport } from 'ralph-agents';
import type { AgentAdapter } from 'ralph-agents/protocol';
import type { Action, Ruling } from 'ralph-kit/actions/action';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { claimOf } from '../../../src/decide/rooms/claim.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { watchAttempt } from '../../../src/loop/watch/attempt-watch.ts';
import { openReview } from '../../../src/loop/watch/review-session.ts';
import { REVIEWER } from '../../helpers/reviewing.ts';

// Made by `RALPH_RECORD=FOLDER npm run test:agents` (docs/AGENTS.md). What ralph read out of a real run once, it has to
// read out of the same lines again.
const RECORDINGS = fileURLToPath(new URL('../../fixtures/recordings/', import.meta.url));
const AGENTS = ['claude', 'codex', 'copilot', 'gemini', 'opencode', 'qwen', 'pi', 'droid'];

/** The repository, home and folders in which all actions of the recordings happened. */
const PLACE = {
  root: '/scratch/project',
  home: '/scratch/home',
  protectedFolders: ['/scratch/state'],
  restricted: null,
  realPath: (path: string) => path,
  tmpdir: { path: '/tmp', own: false },
  bornAt: () => null,
  textSince: () => null,
  entries: () => [],
};

function adapterOf(name: string): AgentAdapter {
  const choice = adapterFor(name, {});
  if (!choice.ok) throw new Error(choice.message);
  return choice.adapter;
}

type Recording = { readonly agent: string; readonly name: string; readonly folder: string };

function recordingsOf(agent: string): readonly Recording[] {
  return readdirSync(join(RECORDINGS, agent)).flatMap((name) =>
    readdirSync(join(RECORDINGS, agent, name))
      .filter((number) => existsSync(join(RECORDINGS, agent, name, number, 'meta.json')))
      .map((number) => ({ agent, name: `${name} ${number}`, folder: join(RECORDINGS, agent, name, number) })),
  );
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean);

describe.each(AGENTS)('%s', (agent) => {
  const adapter = adapterOf(agent);
  const recordings = recordingsOf(agent);

  it('has recordings of what matters', () => {
    const names = new Set(recordings.map(({ name }) => name.split(' ')[0]));
    for (const name of [
      ...['writes-a-file', 'claims-without-writing', 'gate-deletion-outside', 'resumes'],
      ...['refused-calls', 'background-process', 'removes-its-temporary-files'],
    ]) {
      expect(names).toContain(name);
    }
    if (agent !== 'opencode' && agent !== 'pi') expect(names).toContain('server-of-its-own');
    if (agent === 'claude' || agent === 'copilot') expect(names).toContain('helper-in-the-background');
  });

  it.each(recordings)('is read the same way again: $name', ({ folder, name }) => {
    const meta = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    const events = linesOf(join(folder, 'output.jsonl')).flatMap((line) => adapter.parse(line));
    const report = finishReport(events.reduce(addToReport, startReport()), meta.end);
    // Opencode's plug-in reports troubles beside the stream, and a resumed session's usage is a share of what was told.
    const isOpencode = agent === 'opencode';
    const { usage, model, infrastructure, errors, sessionId, ...rest } = meta.report;
    expect(report).toMatchObject(rest);
    // Copilot names its session at its end alone; ralph gave it its id.
    if (agent !== 'copilot' || report.sessionId !== null) expect(report.sessionId).toBe(sessionId);
    // The stream lacks what these agents say over a hook or in a file.
    const named = agent !== 'opencode' && agent !== 'codex';
    if (named) expect(report.model).toBe(model);
    if (named && agent !== 'copilot' && !name.startsWith('resumes')) expect(report.usage).toEqual(usage);
    if (!isOpencode) expect(report).toMatchObject({ infrastructure, errors });
    const task = { ...EMPTY_TASK, id: meta.claim.taskId ?? 'T-1' };
    const facts = { report, agentOutput: adapter.output, promptText: '', task, feedback: [] };
    expect(claimOf(facts)).toEqual(meta.claim);
  });

  // Gemini does not tell that a command failed.
  it.skipIf(agent === 'gemini')('reports an error that its tools gave again and again', () => {
    const [one] = recordings.filter(({ name }) => name.startsWith('repeats-an-error'));
    const watch = watchAttempt({
      ...{
        clock: systemClock(),
        root: PLACE.root,
        realPath: (path) => path,
        task: EMPTY_TASK,
        agent,
        secrets: [],
      },
      limits: { fileOperations: 0, memoryMb: 0, tokens: 0, executionSeconds: 0, batchSize: 0 },
      correction: () => null,
    });
    const read = linesOf(join(one?.folder ?? '', 'output.jsonl'));
    for (const event of read.flatMap((line) => adapter.parse(line))) watch.onEvent(event);
    const { errors, actions } = watch.observed();
    expect(errors.map(({ count }) => count)).toEqual([3]);
    expect(errors[0]?.error).toContain('No such file');
    expect(actions.slice(0, 3).map(({ kind, ok }) => [kind, ok])).toEqual(
      Array.from({ length: 3 }, () => ['system_command', false]),
    );
  });

  it('distinguishes the calls that it turned down itself from those that its tools carried out', () => {
    const [one] = recordings.filter(({ name }) => name.startsWith('refused-calls'));
    const read = linesOf(join(one?.folder ?? '', 'output.jsonl')).flatMap((line) => adapter.parse(line));
    const results = read.filter((event) => event.kind === 'tool_result');
    // Codex reports no call that it turned down.
    if (agent !== 'codex') expect(results.filter(({ refused }) => refused).length).toBeGreaterThanOrEqual(4);
    // The last two actions wrote the file and read it.
    expect(results.slice(-2).map(({ ok, refused }) => ({ ok, refused }))).toEqual([
      { ok: true },
      { ok: true },
    ]);
  });

  it('asks in a way that is understood, and is answered as it was', async () => {
    const rulings: { readonly action: Action; readonly ruling: Ruling }[] = [];
    const { hook } = adapter;
    if (hook === null) throw new Error(`${agent} has a hook`);
    if (hook.transport === 'control channel') {
      const [one] = recordings.filter(({ name }) => name.startsWith('gate-deletion-outside'));
      const session = openReview({
        review: { mode: 'hook', contract: hook },
        ...REVIEWER,
        agent,
        place: PLACE,
        onReview: () => undefined,
      });
      for (const line of linesOf(join(one?.folder ?? '', 'output.jsonl'))) {
        for (const event of adapter.parse(line)) {
          if (event.kind === 'hook') {
            const ruling = await session.onMessage(event.message);
            if (event.message.kind === 'action') rulings.push({ action: event.message.action, ruling });
          } else session.onEvent(event);
        }
      }
      expect(await session.facts()).toMatchObject({
        mode: 'hook',
        proven: true,
        denied: 1,
        unreviewed: null,
      });
    } else if (hook.transport !== 'ACP') {
      const messages = linesOf(join(RECORDINGS, agent, 'gate-contract', 'gate.jsonl')).map(hook.read);
      expect(messages.filter(({ kind }) => kind === 'unknown')).toEqual([]);
      expect(messages.some(({ kind }) => kind === 'ready')).toBe(true);
      for (const message of messages) {
        if (message.kind !== 'action') continue;
        const ruling = reviewAction(message.action, {
          ...PLACE,
          unseenInput: hook.unseenInput,
          existed: () => true,
          writtenText: () => null,
          ownFiles: NO_OWN_FILES,
        });
        rulings.push({ action: message.action, ruling });
      }
    }
    const denied = rulings.filter(({ ruling }) => ruling.decision === 'deny');
    expect(denied).toHaveLength(1);
    expect(JSON.stringify(denied[0]?.action.input)).toContain('/scratch/home/documents');
    expect(denied[0]?.ruling).toMatchObject({ rule: 'deletion_outside' });
    // The file was written behind it, by a tool or by the shell.
    expect(rulings.some(({ action }) => JSON.stringify(action.input).includes('src/hello.txt'))).toBe(true);
  });
});
