import { answerableOf, isWaiting } from '../../../decide/index.ts';
import type { AnswerChat, AnswerResult, ChatAnswer } from '../../../domain/notification.ts';
import { decidingOf } from '../../../loop/index.ts';
import { type Failure, success } from '../../result.ts';
import { inWorkspace, type ProjectInput } from '../../setup/workspace.ts';
import { answer } from '../answer.ts';
import { resume } from '../resume.ts';
import { unblock } from '../unblock.ts';
import { approvals } from './approvals.ts';

/**
 * Returns a function that carries out answers from chats, each like its command in another terminal.
 * @param isRunning Whether a run of this work tree is active; stopped runs can't be continued then.
 */
export function answeringChats(input: Pick<ProjectInput, 'cwd' | 'flags'>, isRunning: boolean): AnswerChat {
  return async (given) => {
    const { waits } = given;
    // The current settings and state decide, which may have changed since the message was sent.
    const looked = await inWorkspace(input, ({ store, config }) => {
      const isOpen = isWaiting(waits, store.state);
      return success({ isOpen, answerable: answerableOf(waits, store.state, decidingOf(config)) });
    });
    if (!looked.ok) return refused(looked);
    const { isOpen, answerable } = looked.data;
    if (!isOpen) return { kind: 'gone', text: 'it is no longer open.' };
    if (!answerable.ok) return { kind: 'refused', text: `${answerable.why} Nothing was changed.` };
    if (waits.kind === 'stop' && isRunning) return { kind: 'later' };
    if (given.choice === null && answerable.words === null)
      return { kind: 'refused', text: 'Tap a choice: words do nothing here.' };
    return carryOut(input, given);
  };
}

async function carryOut(
  input: Pick<ProjectInput, 'cwd' | 'flags'>,
  { waits, choice, words, by }: ChatAnswer,
): Promise<AnswerResult> {
  switch (waits.kind) {
    case 'question':
    case 'task': {
      const { taskId } = waits;
      if (choice === null) {
        const done = await answer({ ...input, task: taskId, text: words, by });
        return done.ok ? counted(`${taskId} is answered: your words are in its next prompt.`) : refused(done);
      }
      const done = await unblock({
        ...input,
        tasks: [taskId],
        filter: null,
        timeout: null,
        timeoutMultiplier: null,
        reason: `by ${by}`,
        fresh: false,
      });
      return done.ok ? counted(`${taskId} is tried again.`) : refused(done);
    }
    case 'gate': {
      const [, option = '', reason = ''] = /^([a-z-]+)[\s:,.-]*([\s\S]*)$/i.exec(choice ?? words) ?? [];
      const texts = { reason, guidance: reason, agent: null };
      const done = await approvals({
        ...input,
        action: 'decide',
        id: waits.request,
        option,
        by,
        ask: null,
        key: null,
        ...(option.toLowerCase() === 'suggest' ? { ...texts, reason: null } : { ...texts, guidance: null }),
      });
      if (!done.ok) return refused(done);
      const { data } = done;
      return data.action === 'decide' && data.option !== 'needs-review'
        ? counted(`${waits.request} is decided: ${data.option}.`)
        : { kind: 'refused', text: `${waits.request} is still open.` };
    }
    case 'stop': {
      const done = await resume({ ...input, id: null, option: null, reason: `by ${by}`, ask: null });
      return done.ok ? counted('Runs continue.') : refused(done);
    }
    case 'incident':
      return { kind: 'refused', text: 'An emergency stop is resolved on the machine. Nothing was changed.' };
  }
}

function counted(text: string): AnswerResult {
  return { kind: 'counted', text };
}

function refused({ message, next }: Failure): AnswerResult {
  return { kind: 'refused', text: next === null ? message : `${message} On the machine: ${next}` };
}
