import { text } from 'node:stream/consumers';
import { type StopAnswer, type StopMessage, stopHookOf } from 'ralph-agents';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { type JudgedSession, stopAnswer } from '../../../decide/index.ts';
import { exitCodeOf } from '../../../domain/exit.ts';

import { success } from '../../result.ts';
import type { Project } from '../../setup/project.ts';
import { isInside } from '../../setup/refuse-inside.ts';
import {
  forgetSessions,
  hooksFolderOf,
  newSession,
  readSession,
  type Session,
  sessionFolder,
  sessionSubject,
  writeSession,
} from '../../setup/verify/session.ts';
import { workTreeAt } from '../../setup/work-tree.ts';
import { verifySubject, withSeparateRecords } from '../verify.ts';
import { noSuchHook } from './settings-file.ts';

export type HookInput = {
  readonly cwd: string;
  readonly agent: string;
  /** Most times in a row that the agent is sent back. */
  readonly maxAsks: number;
  /** Time limit of the gates, in seconds. */
  readonly maxTime: number;
};

const LET_GO: StopAnswer = { kind: 'stop', note: null };

/**
 * Answers an agent that starts or is about to stop, by its message on standard input, after the quick part of `ralph
 * verify` (gates before and after, the diff, credentials). Returns the hook's output and a line for you; a failure lets
 * the agent stop.
 */
export async function answerAgent(input: HookInput) {
  const hook = stopHookOf(input.agent);
  if (typeof hook === 'string') return noSuchHook(hook);
  const message = hook.read(await text(process.stdin));
  // A run of ralph judges the agents that it started, so the hook lets them stop.
  if (message.kind === 'other' || (await isInside(input.cwd))) return success({ output: '', note: null });
  const answer = await answerTo(message, input);
  if (!answer.ok) return answer;
  const note = answer.data.kind === 'stop' ? answer.data.note : null;
  return success({ output: hook.answer(answer.data), note });
}

async function answerTo(message: Exclude<StopMessage, { kind: 'other' }>, input: HookInput) {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return found;
  const hooks = hooksFolderOf(found.commonDir);
  const folder = sessionFolder(hooks, input.agent, message.session);
  // Proof only shows whether gates can fail, which takes too long here.
  const place = { cwd: input.cwd, flags: { 'proof.mode': 'off' } };
  const known = readSession(folder);
  if (message.kind === 'started' && known !== null) return success(LET_GO);
  // Settings from the session's start apply, so that the agent can't relax them.
  const began =
    known === null ? {} : { settings: known.settings === null ? null : Buffer.from(known.settings) };
  return withSeparateRecords(folder, { ...place, ...began }, async (project) => {
    const session = known ?? (await newSession(project));
    if (message.kind === 'started') forgetSessions(hooks, Date.now());
    if (session === null) return success(LET_GO);
    if (message.kind === 'started') {
      writeSession(folder, session);
      return success(LET_GO);
    }
    const { answer, next } = await answerStop(project, session, { ...input, ...message });
    // Without a saved count, an agent would be sent back forever.
    writeSession(folder, next);
    return success(answer);
  });
}

type Stop = HookInput & Extract<StopMessage, { kind: 'stops' }>;

async function answerStop(
  project: Project,
  session: Session,
  { maxAsks, maxTime, isAskedBack }: Stop,
): Promise<{ readonly answer: StopAnswer; readonly next: Session }> {
  const letGo = { answer: LET_GO, next: session };
  // Another hook may have sent the agent back. That counts as one time.
  const count = Math.max(session.asked, isAskedBack ? 1 : 0);
  const subject = await sessionSubject(project, session);
  if (subject === null || session.isTooLong) return letGo;
  const { tree } = subject.head;
  if (tree === subject.base.tree || tree === session.settled) return letGo;
  const result = await verifySubject(project, subject, {
    task: { ...EMPTY_TASK, id: 'V-1' },
    report: null,
    seconds: maxTime,
    forAgent: true,
    trust: { kind: 'check', ask: null },
  });
  const isTooLong = !result.ok && result.exitCode === exitCodeOf('SIGALRM');
  const judged = isTooLong ? tooLong(maxTime) : judgedOf(result);
  const answer = stopAnswer(judged, { count, limit: maxAsks });
  if (answer.kind === 'continue') return { answer, next: { ...session, asked: count + 1 } };
  const settled = judged.kind === 'judged' ? tree : session.settled;
  return { answer, next: { ...session, asked: 0, settled, isTooLong } };
}

function judgedOf(result: Awaited<ReturnType<typeof verifySubject>>): JudgedSession {
  if (!result.ok) return { kind: 'unjudged', message: result.message, next: result.next };
  const { verdict, remarks } = result.data;
  return { kind: 'judged', verdict, remarks };
}

function tooLong(seconds: number): JudgedSession {
  const message = `its gates take more than ${seconds} s, so they aren't run any more in this session.`;
  return { kind: 'unjudged', message, next: 'ralph verify' };
}
