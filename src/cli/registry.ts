import type { Command } from 'commander';
import type { Examples } from './call.ts';

/** A file with one or more commands: names, options, what they do, and their text output. */
type CommandFile = {
  readonly define: (program: Command) => unknown;
  readonly examples?: Examples;
};

/** Summary of a command in at most 50 characters, and a function that loads its file. */
type Listed = readonly [summary: string, load: () => Promise<CommandFile>];

/**
 * All commands by headings of `ralph help all`, in its order. A file is only loaded if its command is called, so that
 * help starts fast.
 */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  'Work:': {
    run: ['Work through the tasks until they are done', () => import('./commands/run.ts')],
    do: ['Do one task, without a task list', () => import('./commands/do.ts')],
    step: ['Make one attempt at the next task', () => import('./commands/run.ts')],
    gates: ['Run the checks now and show what fails', () => import('./commands/gates.ts')],
    verify: ['Judge work that ralph did not start', () => import('./commands/verify.ts')],
    stop: ['End the run after its current attempt', () => import('./commands/control.ts')],
    pause: ['Pause the run after its current attempt', () => import('./commands/control.ts')],
    continue: ['Continue a paused run', () => import('./commands/control.ts')],
    workers: ['Show who works at which task', () => import('./commands/workers.ts')],
    queue: ['Show tasks not on your branch yet, and why', () => import('./commands/queue.ts')],
    plan: ['Have agents draft tasks', () => import('./commands/plan.ts')],
    tasks: ['List the tasks, or change the list', () => import('./commands/tasks.ts')],
    lessons: ['Show findings that came back', () => import('./commands/lessons.ts')],
    feedback: ["Guide the agent's next attempts", () => import('./commands/feedback.ts')],
    fleet: ['Work on many machines', () => import('./commands/fleet/index.ts')],
  },
  'Look:': {
    status: ['Show what runs, comes next and happened last', () => import('./commands/status.ts')],
    info: ['Print versions and settings for a bug report', () => import('./commands/info.ts')],
    watch: ['Open a full screen to look and act', () => import('./screen/watch.ts')],
    page: ['Serve a page to look and act, for a phone', () => import('./page/page.ts')],
    report: ['Show what a run did, what is left and why', () => import('./page/report.ts')],
    logs: ['Show what an agent said and did', () => import('./commands/logs.ts')],
    diff: ['Show what an attempt or a task changed', () => import('./commands/diff.ts')],
    review: ['Review an action or a diff', () => import('./commands/review/index.ts')],
    interventions: ['Show what was detected and done about it', () => import('./commands/interventions.ts')],
    explain: ['Explain why this task is next, and its timeout', () => import('./commands/explain.ts')],
    prompt: ['Print the prompt that would be sent', () => import('./commands/prompt.ts')],
    profile: ['Show how the agents behaved', () => import('./commands/profile.ts')],
    metrics: ['Show counts of iterations, tasks and tokens', () => import('./commands/metrics.ts')],
    replay: ['Decide a recorded run again', () => import('./commands/replay.ts')],
  },
  'Fix:': {
    doctor: ['Check what a run needs, and how to fix it', () => import('./commands/doctor.ts')],
    blocked: ['List blocked tasks and why', () => import('./commands/blocked.ts')],
    unblock: ['Give blocked tasks a fresh series of attempts', () => import('./commands/unblock.ts')],
    'retry-blocked': [
      'Apply all suggestions, then run those tasks',
      () => import('./commands/retry-blocked.ts'),
    ],
    answer: ["Answer an agent's question", () => import('./commands/answer.ts')],
    checkpoints: ['List the work trees that ralph keeps', () => import('./commands/checkpoints.ts')],
    take: ['Bring unfinished work to your checkout', () => import('./commands/take.ts')],
    land: ['Bring verified work that waits to your branch', () => import('./commands/land.ts')],
    work: ["Show the agents' copy", () => import('./commands/work.ts')],
    rollback: ['Go back to a checkpoint', () => import('./commands/rollback.ts')],
    incidents: ['List emergency stops with their reports', () => import('./commands/incidents.ts')],
    approvals: ['List what waits for you, and decide it', () => import('./commands/approvals.ts')],
    whitelist: ['List false positives to ignore', () => import('./commands/whitelist.ts')],
    resume: ['Clear a stop so that runs can start again', () => import('./commands/resume.ts')],
  },
  'Set up:': {
    init: ['Set up .ralph/ in this repository', () => import('./commands/init.ts')],
    demo: ['See a false claim caught, in a scratch repository', () => import('./commands/demo.ts')],
    hook: ['Have an agent of yours ask ralph before it stops', () => import('./commands/hook.ts')],
    mcp: ['Serve ralph to an agent, as tools (MCP)', () => import('./commands/mcp.ts')],
    eval: ['Measure the loop with a suite of tasks', () => import('./commands/eval/index.ts')],
    notify: ['Try out notifications', () => import('./commands/notify.ts')],
    import: ['Import the records of ralph-gold', () => import('./commands/import.ts')],
    trust: ['Accept the commands that this repository runs', () => import('./commands/trust.ts')],
    completion: ['Print a completion script for your shell', () => import('./commands/completion.ts')],
  },
};
