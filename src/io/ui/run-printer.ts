import ora, { type Ora } from 'ora';
import type { GateJudgement } from '../../domain/gate.ts';
import type { LoopEvent } from '../../domain/loop-event.ts';
import type { VerdictKind } from '../../domain/verdict.ts';
import { formatDuration } from '../../lib/duration.ts';
import { fitWidth, stripControl } from '../../lib/text.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { summaryText } from './run-summary.ts';
import type { Terminal } from './style.ts';
import { wrap } from './table.ts';
import { countdown, localTime, withLocalTimes } from './times.ts';

type Printer = { readonly emit: (event: LoopEvent) => void; readonly dispose: () => void };

export type PrinterOptions = {
  readonly terminal: Terminal;
  readonly write: (text: string) => void;
  readonly quiet: boolean;
  /** Print what the agent says as it says it. */
  readonly stream: boolean;
};

/** What each verdict is called on screen. */
const VERDICT_WORD: Readonly<Record<VerdictKind, string>> = {
  done: 'done',
  progress: 'progress',
  no_files: 'no files written',
  false_completion: 'false completion',
  gates_failed: 'gates failed',
  timed_out: 'timed out',
  agent_error: 'agent error',
  review_blocked: 'not accepted',
  rolled_back: 'rolled back',
  agent_blocked: 'agent is blocked',
  rate_limited: 'usage limit',
  auth: 'not signed in',
  outage: 'service out of reach',
  spawn_failed: 'agent not started',
  interrupted: 'interrupted',
};

/** What an intervention means for what comes next. A rollback and an emergency stop have events of their own. */
const EFFECT: Readonly<Record<Extract<LoopEvent, { kind: 'intervention' }>['type'], string>> = {
  soft_correction: 'the next prompt says what went wrong',
  context_reinforcement: 'the next prompt is rebuilt around the request',
  resource_throttling: 'the next attempts get lower limits',
  checkpoint_rollback: 'there is no safe checkpoint to go back to; the task waits for you',
};

/** Prints the loop's events: with a live line in a terminal, as plain lines elsewhere. */
export function runPrinter({ terminal, write, quiet, stream }: PrinterOptions): Printer {
  const { style, width } = terminal;
  let spinner: Ora | null = null;
  let ticker: ReturnType<typeof setInterval> | null = null;
  let liveText: (() => string) | null = null;
  let live = { startedAt: 0, limit: 0, action: 'starting', calls: 0 };

  /** Above the live line, which stays. */
  const line = (text: string) => {
    if (quiet) return;
    const lasting = spinner === null ? null : liveText;
    stopLive();
    write(`${text}\n`);
    if (lasting !== null) startLive(lasting);
  };
  const attemptText = () => {
    const elapsed = Math.round((performance.now() - live.startedAt) / 1000);
    const calls = live.calls === 0 ? '' : ` · ${live.calls} ${live.calls === 1 ? 'action' : 'actions'}`;
    return fitWidth(`${elapsed} s of ${live.limit} s${calls} · ${live.action}`, width - 4);
  };

  function startLive(text: () => string): void {
    if (quiet || !terminal.live) return;
    stopLive();
    liveText = text;
    spinner = ora({ text: text(), stream: process.stdout, discardStdin: false }).start();
    ticker = setInterval(() => {
      if (spinner !== null) spinner.text = text();
    }, 500);
    ticker.unref();
  }

  function stopLive(): void {
    if (ticker !== null) clearInterval(ticker);
    ticker = null;
    spinner?.stop();
    spinner = null;
  }

  function emit(event: LoopEvent): void {
    switch (event.kind) {
      case 'run_started': {
        const { tasks } = event;
        const open = tasks.total - tasks.done - tasks.blocked;
        line(style.bold(`ralph ${event.run}`));
        line(
          `  ${tasks.total} ${tasks.total === 1 ? 'task' : 'tasks'} in ${event.tracker}: ${tasks.done} done, ${open} open${tasks.blocked > 0 ? `, ${tasks.blocked} blocked` : ''}`,
        );
        line(`  agent ${event.agent}, mode ${event.mode}`);
        break;
      }
      case 'review_planned':
        if (event.mode === 'hook') {
          line(style.dim(`  ${wrap(reviewText(event), width, '    ')}`));
        } else {
          line(style.yellow(`! ${wrap(stripControl(reviewText(event)), width, '  ')}`));
        }
        break;
      case 'guidance_sent':
        line(style.dim(`  ${wrap(`to ${event.agent}: ${stripControl(event.text)}`, width, '    ')}`));
        break;
      case 'warning':
        line(style.yellow(`! ${wrap(stripControl(event.message), width, '  ')}`));
        break;
      case 'baseline_started':
        line(style.dim(`  checking how the gates stand: ${event.gates.join(', ')}`));
        break;
      case 'baseline_finished': {
        const failing = event.results.filter(
          ({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'timed_out',
        );
        if (failing.length > 0) {
          const names = failing.map(({ name }) => name).join(', ');
          line(style.yellow(`! Failing before the run, not held against the agent: ${names}`));
        }
        break;
      }
      case 'iteration_started': {
        const attempt = event.attempt > 1 ? `, attempt ${event.attempt} of ${event.maxAttempts}` : '';
        line('');
        line(
          `${style.bold(`#${event.iteration}`)} ${style.bold(event.taskId)} ${fitWidth(stripControl(event.title), Math.max(20, width - 20))}`,
        );
        line(style.dim(`  ${wrap(`${event.agent}${attempt}, ${limitOf(event)}`, width, '    ')}`));
        live = { startedAt: performance.now(), limit: event.timeoutSeconds, action: 'starting', calls: 0 };
        if (!stream) startLive(attemptText);
        break;
      }
      case 'agent_event':
        if (event.action !== null) {
          live = { ...live, action: event.action, calls: live.calls + 1 };
          if (stream) line(style.dim(`  > ${event.action}`));
        } else if (event.event.kind === 'text' && stream) {
          line(`  ${stripControl(event.event.text).trimEnd().replaceAll('\n', '\n  ')}`);
        }
        break;
      case 'agent_finished':
        stopLive();
        break;
      case 'gates_started':
        line(style.dim(`  gates: ${event.gates.join(', ')}`));
        break;
      case 'gates_finished':
        for (const judgement of event.judgements) line(`  ${gateLine(judgement, terminal)}`);
        break;
      case 'iteration_finished': {
        stopLive();
        const good = event.verdict.kind === 'done';
        const mark = good
          ? style.green('✔')
          : event.verdict.kind === 'progress'
            ? style.cyan('…')
            : style.red('✖');
        const word = VERDICT_WORD[event.verdict.kind];
        const took = `(${formatDuration(event.durationMs)}):`;
        const cause = stripControl(withLocalTimes(event.cause, new Date()));
        const before = `  ✔ ${word} ${took} `.length;
        line(`  ${mark} ${style.bold(word)} ${took} ${wrap(cause, width, '    ', before)}`);
        if (event.blocked) line(style.red(`    ${event.taskId} is blocked now.`));
        if (!good) line(style.dim(`    ralph logs ${event.iteration}`));
        break;
      }
      case 'committed':
        line(
          style.dim(
            `    committed ${event.commit.slice(0, 10)} (${event.paths} ${event.paths === 1 ? 'file' : 'files'})`,
          ),
        );
        break;
      case 'task_unblocked': {
        const { taskId, strategy, reason, timeoutSeconds, automatic } = event;
        const timeout = timeoutSeconds === null ? '' : `, up to ${formatDuration(timeoutSeconds * 1000)}`;
        const how = `${automatic ? 'without being asked, ' : ''}${strategy ?? 'as you said'}${timeout}`;
        const text = `${taskId} is unblocked (${how}): ${stripControl(reason)}`;
        line(style.cyan(`  ${wrap(text, width, '    ')}`));
        break;
      }
      case 'waiting':
        if (terminal.live) startLive(() => fitWidth(`${waitText(event)} (Ctrl-C to stop)`, width - 4));
        else line(`  ${waitText(event)}`);
        break;
      case 'waited':
        stopLive();
        if (!event.stopped) line(style.dim(`  waited ${formatDuration(event.durationMs)}, going on`));
        break;
      case 'agent_switched': {
        const { agent, from, reason } = event;
        const why = reason.startsWith(`${from}: `) ? reason.slice(from.length + 2) : reason;
        const text = `${agent} takes over from ${from}: ${stripControl(withLocalTimes(why, new Date()))}`;
        line('');
        line(style.yellow(`! ${wrap(text, width, '  ')}`));
        break;
      }
      case 'intervention': {
        const text = `${event.type.replaceAll('_', ' ')} (${event.issue}): ${EFFECT[event.type]}`;
        line(style.dim(`    ${wrap(text, width, '    ')}`));
        break;
      }
      case 'rolled_back': {
        const files = `${event.paths} ${event.paths === 1 ? 'file' : 'files'}`;
        const text = `The work tree is back at checkpoint ${event.checkpoint} (${files}). What it held before: ralph rollback ${event.kept}`;
        line(style.yellow(`    ${wrap(text, width, '    ')}`));
        break;
      }
      case 'incident':
        line('');
        line(style.red(style.bold(`■ Emergency stop ${event.id}`)));
        line(`  ${wrap(stripControl(event.summary), width, '  ')}`);
        line(style.dim(`  ${event.path}`));
        break;
      case 'run_finished':
        stopLive();
        write(`${summaryText(event.result, terminal)}\n`);
        break;
      default:
        unreachable(event);
    }
  }
  return { emit, dispose: stopLive };
}

function reviewText({ agent, mode, how }: Extract<LoopEvent, { kind: 'review_planned' }>): string {
  switch (mode) {
    case 'hook':
      return `review: ${agent} asks before it acts (${how})`;
    case 'detect':
      return `review: ${agent} is only watched: what it does is seen when it has begun, and what is denied ends the attempt. Why: ${how}.`;
    case 'off':
      return `review: nobody looks at what ${agent} does: ${how}.`;
    default:
      return unreachable(mode);
  }
}

function waitText({ agent, cause, until }: Extract<LoopEvent, { kind: 'waiting' }>): string {
  const now = new Date();
  const left = countdown(Date.parse(until) - now.getTime());
  return `${agent}: ${VERDICT_WORD[cause]}, waiting ${left}, until ${localTime(until, now)}`;
}

function gateLine({ name, standing }: GateJudgement, { style }: Terminal): string {
  switch (standing) {
    case 'passed':
      return style.green(`✔ ${name}`);
    case 'fixed':
      return style.green(`✔ ${name} (failed before, passes now)`);
    case 'regression':
      return style.red(`✖ ${name} (passed before this attempt)`);
    case 'required_failed':
      return style.red(`✖ ${name} (required)`);
    case 'failed_before':
      return style.yellow(`– ${name} fails as it did before, not held against the agent`);
    case 'tool_missing':
      return style.yellow(`– ${name}: its tool is missing`);
    case 'skipped':
      return style.dim(`– ${name} skipped`);
    default:
      return unreachable(standing);
  }
}

/** "limit 2 min", or "limit 8 s (set in the task)"; how a limit is worked out, `ralph explain` shows. */
function limitOf({
  timeoutSeconds,
  timeoutReason,
}: {
  readonly timeoutSeconds: number;
  readonly timeoutReason: string;
}): string {
  return `limit ${timeoutReason.includes(' = ') ? formatDuration(timeoutSeconds * 1000) : timeoutReason}`;
}
