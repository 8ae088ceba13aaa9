import { camelKeys } from 'ralph-kit/snake-keys';
import { withoutEscapes } from 'ralph-kit/text';
import { answer } from '../../app/commands/answer.ts';
import type { DiffResult } from '../../app/commands/diff.ts';
import { diff } from '../../app/commands/diff.ts';
import { explain } from '../../app/commands/explain.ts';
import { feedback } from '../../app/commands/guidance/feedback.ts';
import { approvals, gateAt } from '../../app/commands/human/approvals.ts';
import { land } from '../../app/commands/land.ts';
import { logs } from '../../app/commands/logs.ts';
import { first, hold } from '../../app/commands/queue.ts';
import { report } from '../../app/commands/report.ts';
import type { ResumeResult } from '../../app/commands/resume.ts';
import { resume } from '../../app/commands/resume.ts';
import { controlRun } from '../../app/commands/running/control-run.ts';
import { take } from '../../app/commands/take.ts';
import { acceptTasks, editTasks, reopenTasks } from '../../app/commands/tasks.ts';
import { unblock } from '../../app/commands/unblock.ts';
import { stopWorker } from '../../app/commands/workers.ts';
import type { CommandResult } from '../../app/result.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { printable, reportText, type Terminal, terminalWith } from '../../io/ui/index.ts';
import { withLocalTimes } from '../../tell/index.ts';
import { controlText } from '../commands/control.ts';
import { acceptText, editText, reopenText } from '../commands/tasks.ts';
import { choicesText } from '../render/incident-options.ts';
import type { Effect } from './effect.ts';
import type { Outcome, OwnEffect } from './session.ts';
import { type ChoiceOption, HOME, type View } from './state.ts';

type Input = { readonly cwd: string; readonly onNotice: (notice: string) => void };

/** An effect of a key that is a command of ralph. All other effects only concern the screen. */
export type CommandEffect = Exclude<Effect, OwnEffect | { readonly do: 'open_copy' | 'criteria' }>;

/**
 * Returns the name of the command that an effect runs, if it decides for you; `null`: the effect only shows something.
 */
export function decidingCommand(effect: Effect): string | null {
  if (effect.do === 'control') return effect.request === 'stop_now' ? 'stop' : effect.request;
  if (effect.do === 'decide') return effect.shows ? null : 'approvals decide';
  return DECIDING[effect.do] ?? null;
}

const DECIDING: Readonly<Partial<Record<Effect['do'], string>>> = {
  guide: 'feedback add',
  resume: 'resume',
  accept: 'tasks accept',
  reopen: 'tasks reopen',
  answer: 'answer',
  unblock: 'unblock',
  retitle: 'tasks edit',
  criteria: 'tasks edit',
  take: 'take',
  land: 'land',
  hold: 'queue hold',
  first: 'queue first',
  stop_worker: 'workers stop',
  open_copy: 'work',
};

/** Returns a refusal of an effect that decides, if an agent opened the screen; `null`: it is allowed. */
export async function refusalOf(effect: Effect, cwd: string): Promise<Outcome | null> {
  const command = decidingCommand(effect);
  if (command === null) return null;
  const { refuseInside } = await import('../../app/setup/refuse-inside.ts');
  const refused = await refuseInside({ cwd, name: `ralph ${command}`, argv: command.split(' ') });
  return refused === null ? null : failed(refused);
}

// Other modules loaded with import() would split `ralph status` into more files (scripts/build.mjs).

/** Runs an effect's command and returns the text that the command would print. */
export async function act(effect: CommandEffect, input: Input, back: View = HOME): Promise<Outcome> {
  switch (effect.do) {
    case 'control':
      return messageOf(await controlRun({ ...input, request: effect.request }), controlText);
    case 'accept':
      return messageOf(await acceptTasks({ ...input, names: [effect.task], all: false }), acceptText);
    case 'reopen': {
      const reason = effect.reason === '' ? null : effect.reason;
      return messageOf(await reopenTasks({ ...input, names: [effect.task], reason }), reopenText);
    }
    case 'retitle': {
      const change = { kind: 'retitle', name: effect.task, title: effect.title } as const;
      return messageOf(await editTasks({ ...input, change }), editText);
    }
    case 'guide': {
      const result = await feedback({ ...input, action: 'add', text: effect.text, task: effect.task });
      const about = effect.task === null ? 'every task' : effect.task;
      return messageOf(result, () => `Sent to ${about}, for its next prompts.`);
    }
    case 'answer': {
      const { answerText } = await import('../commands/answer.ts');
      return messageOf(await answer({ ...input, task: effect.task, text: effect.text }), answerText);
    }
    case 'unblock': {
      const { unblockText } = await import('../commands/unblock.ts');
      const timeout = effect.timeout === '' ? null : effect.timeout;
      const nothing = { filter: null, timeoutMultiplier: null, reason: null, fresh: false };
      return messageOf(await unblock({ ...input, ...nothing, tasks: [effect.task], timeout }), unblockText);
    }
    case 'take': {
      const { takeText } = await import('../commands/take.ts');
      return messageOf(await take({ ...input, which: effect.task, attempt: null, ignored: [] }), takeText);
    }
    case 'land': {
      const { landText } = await import('../commands/land.ts');
      // Whether to trust new commands is asked at a terminal, with all of them in view.
      const trust = { kind: 'check', ask: null } as const;
      return messageOf(await land({ ...input, task: effect.task, trust }), landText);
    }
    case 'hold': {
      const { holdText } = await import('../commands/queue.ts');
      return messageOf(await hold({ ...input, task: effect.task, off: effect.off }), holdText);
    }
    case 'first': {
      const { firstText } = await import('../commands/queue.ts');
      return messageOf(await first({ ...input, task: effect.task, off: effect.off }), firstText);
    }
    case 'stop_worker': {
      const { stopText } = await import('../commands/workers.ts');
      return messageOf(await stopWorker({ ...input, worker: String(effect.worker) }), stopText);
    }
    case 'logs': {
      const { logsText } = await import('../commands/logs.ts');
      const result = await logs({ ...input, which: effect.which, task: null, show: 'transcript' });
      return shown(result, logsText, { title: `logs ${effect.which}`, again: effect, back });
    }
    case 'diff': {
      const { diffText } = await import('../commands/diff.ts');
      const result = await diff({ ...input, which: effect.which, task: null, show: 'patch' });
      const title = `diff ${effect.which}`;
      return shown<DiffResult>(
        result,
        (data, terminal) => [...data.notes, diffText(data, terminal)].join('\n'),
        {
          title,
          back,
          again: null,
        },
      );
    }
    case 'explain': {
      const { explainText } = await import('../commands/explain.ts');
      const result = await explain({ ...input, task: effect.task });
      return shown(result, (data, terminal) => explainText({ ...data, others: [] }, terminal), {
        title: effect.task,
        again: null,
        back,
      });
    }
    case 'report': {
      const result = await report({ ...input, run: null, since: null, read: true });
      return shown(result, (data, terminal) => reportText(camelKeys(data) as RunReport, terminal), {
        title: 'report',
        again: null,
        back,
      });
    }
    case 'gate':
      return gateView(effect.request, input);
    case 'decide':
      return decided(effect, input, back);
    case 'incident':
      return incidentView(effect.incident, input);
    case 'resume': {
      const { resumeText } = await import('../commands/resume.ts');
      const { incident: id, option } = effect;
      return messageOf<ResumeResult>(
        await resume({ ...input, id, option, reason: null, ask: null }),
        resumeText,
      );
    }
  }
}

type Render<T> = (data: T, terminal: Terminal) => string;

function messageOf<T extends object>(result: CommandResult<T>, render: Render<T>): Outcome {
  if (!result.ok) return failed(result);
  const plain = terminalWith({ live: false, color: false, width: 10_000, piped: true });
  const text = withoutEscapes(render(printable(result.data), plain)).replace(/^✔ /, '');
  return { kind: 'message', ok: true, text };
}

function failed({ message, next }: { readonly message: string; readonly next: string | null }): Outcome {
  const text = withLocalTimes(message, new Date());
  return { kind: 'message', ok: false, text: next === null ? text : `${text} (${next})` };
}

function shown<T extends object>(
  result: CommandResult<T>,
  render: Render<T>,
  place: { readonly title: string; readonly again: Effect | null; readonly back: View },
): Outcome {
  if (!result.ok) return failed(result);
  const data = printable(result.data);
  return {
    kind: 'view',
    view: { kind: 'text', top: 0, ...place, render: (terminal) => render(data, terminal) },
  };
}

async function gateView(id: string, input: Input): Promise<Outcome> {
  const { followUpQuestion } = await import('../ask-gate.ts');
  const result = await gateAt({ ...input, id });
  if (!result.ok) return failed(result);
  const { request, keys, panel } = result.data;
  const options = keys.map(({ key, option, label, needs, effect }): ChoiceOption => {
    const nothing = { reason: null, guidance: null, agent: null };
    const question = effect === 'shows' ? null : followUpQuestion({ option, needs });
    return {
      key,
      label: `${option}: ${label}`,
      effect: { do: 'decide', request: request.id, option, shows: effect === 'shows', ...nothing },
      asks: question === null ? null : { ...question, optional: needs === null },
    };
  });
  const title = `${request.id} waits for your decision`;
  return {
    kind: 'view',
    view: { kind: 'choice', title, render: ({ width }) => panel(width), top: 0, options },
  };
}

async function decided(
  effect: Extract<Effect, { do: 'decide' }>,
  input: Input,
  back: View,
): Promise<Outcome> {
  const { approvalsText } = await import('../commands/approvals.ts');
  const { request: id, option, reason, guidance, agent } = effect;
  const result = await approvals({
    ...input,
    action: 'decide',
    id,
    option,
    reason,
    guidance,
    agent,
    key: null,
    ask: null,
  });
  if (result.ok && result.data.action === 'view')
    return shown(result, approvalsText, { title: `${id} ${option}`, again: null, back });
  return messageOf(result, approvalsText);
}

async function incidentView(id: string, input: Input): Promise<Outcome> {
  const result = await resume({ ...input, id, option: null, reason: null, ask: null });
  if (!result.ok) return failed(result);
  const { data } = result;
  if (!('options' in data)) return messageOf<ResumeResult>(result, () => '');
  const possible = data.options.filter(({ possible }) => possible);
  const options = possible.map(({ option, description }, at): ChoiceOption => {
    return {
      key: String(at + 1),
      label: `${option.replaceAll('_', ' ')}: ${description}`,
      effect: { do: 'resume', incident: id, option },
      asks: null,
    };
  });
  const clean = printable(data);
  return {
    kind: 'view',
    view: {
      kind: 'choice',
      title: `${id} waits for your decision`,
      render: (terminal) => choicesText(clean, terminal),
      top: 0,
      options,
    },
  };
}
