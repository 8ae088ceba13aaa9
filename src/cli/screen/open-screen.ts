import { emitKeypressEvents, type Interface } from 'node:readline';
import { NOT_SET_UP, openReader, type RepositoryRead } from '../../app/commands/follow-repository.ts';
import { printable, type Terminal, terminalWith } from '../../io/ui/index.ts';
import { changesBetween } from './changes.ts';
import type { Effect } from './effect.ts';
import { frameOf, placeIn } from './frame.ts';
import { type Drawing, openDrawing } from './ink.ts';
import { keyName } from './key-name.ts';
import { aboutTask, type Outcome, withOutcome, withoutStale } from './outcome.ts';
import { press } from './press.ts';
import { emptyScreen, focused, HOME, type Screen, withRepo } from './state.ts';
import { chosenRow } from './tasks.ts';

/** Milliseconds between two frames while clocks run. */
const TICK_MS = 1000;
/** Milliseconds after which Escape counts as a key of its own, instead of as the beginning of another key. */
const ESCAPE_MS = 40;
const RESIZE_MS = 40;
/** Milliseconds between two readings of an attempt's changes. Reading takes at most 1/20 of the time. */
const CHANGED_MS = 10_000;
const CHANGED_SHARE = 20;

/** How the screen was left. `command`: command that runs next; `null`: none. */
export type Left = { readonly command: 'init' | 'demo' | null };

type Given = {
  /** Folders to show, as absolute paths. */
  readonly dirs: readonly { readonly dir: string; readonly name: string }[];
  readonly color: boolean;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
};

export async function openScreen({ dirs, color, stdin, stdout }: Given): Promise<Left> {
  let screen: Screen = { ...emptyScreen(dirs), ...sizeOf(stdout), now: Date.now() };
  let drawing: Drawing | null = null;
  let isPlain = false;
  /** Number of the newest request. A view that arrives after a newer request isn't shown. */
  let asked = 0;
  let leave: (left: Left) => void = () => undefined;
  const left = new Promise<Left>((resolve) => {
    leave = resolve;
  });
  const terminals = new Map<number, Terminal>();
  const sized = (width: number) => {
    const known = terminals.get(width);
    if (known !== undefined) return known;
    const made = terminalWith({ live: true, color, width });
    terminals.set(width, made);
    return made;
  };
  const lines = () => frameOf(screen, sized);

  function show(next: Screen): void {
    screen = next;
    drawing?.draw(lines());
  }

  function begin(): void {
    screen = { ...screen, ...sizeOf(stdout), now: Date.now() };
    drawing = openDrawing(stdout, lines());
  }

  function end(): void {
    drawing?.end();
    drawing = null;
  }

  // ---------- reading

  const readers = dirs.map(({ dir }) => openReader(dir));

  async function onRead(index: number, read: RepositoryRead): Promise<void> {
    const before = screen.repos[index];
    if (read.data === null) {
      // When a repository can't be read, what was read before stays on screen, unless ralph isn't set up there any
      // more.
      const gone = read.problem === NOT_SET_UP ? { data: null } : {};
      return show(withRepo(screen, index, { ...gone, problem: read.problem }));
    }
    const data = printable(read.data);
    if (isPlain) for (const line of changesBetween(before?.data ?? null, data)) stdout.write(`${line}\n`);
    show(withoutStale(withRepo(screen, index, { data, problem: null, name: data.name })));
    if (index === screen.focus) await again();
  }

  /** Reads a growing text again. If its end was shown, it stays shown. */
  async function again(): Promise<void> {
    const { view } = screen;
    if (view.kind !== 'text' || view.again === null) return;
    const place = placeIn(screen, sized);
    const outcome = await perform(view.again);
    // You may have left the view while its text was being read.
    if (screen.view !== view || outcome?.kind !== 'view' || outcome.view.kind !== 'text') return;
    const top = place?.atEnd === true ? Number.MAX_SAFE_INTEGER : view.top;
    show({ ...screen, view: { ...outcome.view, top, back: view.back } });
  }

  // ---------- keys

  function onKey(
    text: string | undefined,
    key: { name?: string; ctrl?: boolean; meta?: boolean; shift?: boolean },
  ) {
    const name = keyName(text, key);
    if (name === null) return;
    if (isPlain) return plainKey(name);
    const place = placeIn(screen, sized);
    const { view } = screen;
    const from =
      place !== null && view.kind !== 'home' ? { ...screen, view: { ...view, top: place.top } } : screen;
    const step = press(from, name);
    asked += 1;
    const { effect } = step;
    const busy = effect === null || isOwn(effect) ? {} : { message: BUSY };
    show({ ...step.screen, ...busy });
    if (effect !== null) void carryOut(effect);
  }

  function plainKey(name: string): void {
    if (name === 's') {
      isPlain = false;
      begin();
    }
    if (name === 'q' || name === '<ctrl-c>') leave({ command: null });
  }

  async function carryOut(effect: Effect): Promise<void> {
    switch (effect.do) {
      case 'quit':
        return leave({ command: null });
      case 'leave_for':
        return leave({ command: effect.command });
      case 'plain':
        isPlain = true;
        end();
        stdout.write('Plain lines: s goes back to the full screen, q leaves.\n');
        return;
      case 'suspend':
        return suspend();
      default: {
        const index = screen.focus;
        const mine = asked;
        const about = taskOf(effect, screen);
        const outcome = await perform(effect);
        const isWanted = outcome?.kind === 'message' || mine === asked;
        if (outcome !== null && isWanted) show(withOutcome(screen, outcome));
        await readers[index]?.read();
        // The message is about the task's state after the effect, so it is added after the state is read.
        if (outcome?.kind === 'message' && about !== null) show(aboutTask(screen, index, about));
      }
    }
  }

  async function perform(effect: Effect): Promise<Outcome | null> {
    const repo = focused(screen);
    if (repo === null || isOwn(effect)) return null;
    try {
      const { act, refusalOf } = await import('./act.ts');
      const refused = await refusalOf(effect, repo.dir);
      if (refused !== null) return refused;
      const { openCopy, openList } = await import('./beyond.ts');
      if (effect.do === 'open_copy') return await outside(() => openCopy(repo.dir));
      if (effect.do === 'criteria') return await outside(() => openList(repo, effect.task));
      const back = screen.view.kind === 'choice' ? screen.view : HOME;
      return await act(effect, { cwd: repo.dir, onNotice: () => undefined }, back);
    } catch (error) {
      return { kind: 'message', ok: false, text: error instanceof Error ? error.message : String(error) };
    }
  }

  // ---------- the terminal

  /** Gives the terminal to another program until `work` ends. */
  async function outside<T>(work: () => Promise<T>): Promise<T> {
    end();
    silence();
    try {
      return await work();
    } finally {
      listen();
      if (!isPlain) begin();
    }
  }

  function listen(): void {
    stdin.setRawMode(true);
    stdin.on('keypress', onKey);
    stdin.resume();
  }

  function silence(): void {
    stdin.off('keypress', onKey);
    stdin.pause();
    stdin.setRawMode(false);
  }

  /** Suspends the screen on Ctrl-Z, as other programs do. */
  function suspend(): void {
    end();
    silence();
    process.once('SIGCONT', () => {
      listen();
      if (!isPlain) begin();
    });
    process.kill(0, 'SIGTSTP');
  }

  let resized: NodeJS.Timeout | null = null;
  /** Draws only once the size stays for a moment, because a resized window passes many sizes. */
  function onResize(): void {
    if (resized !== null) clearTimeout(resized);
    resized = setTimeout(() => {
      resized = null;
      if (drawing === null) return;
      screen = { ...screen, ...sizeOf(stdout) };
      drawing.redraw(lines());
    }, RESIZE_MS);
  }

  /** Restores the terminal as it was before the screen when a signal ends ralph. */
  function onSignal(signal: NodeJS.Signals): void {
    process.exitCode = 128 + (SIGNALS[signal] ?? 0);
    leave({ command: null });
  }

  // ---------- what an attempt changed so far

  let changedAt = 0;
  async function lookAtChanged(): Promise<void> {
    if (drawing === null || performance.now() < changedAt) return;
    changedAt = Number.POSITIVE_INFINITY;
    const begun = performance.now();
    const { changedSoFar } = await import('./beyond.ts');
    try {
      for (const [index, repo] of screen.repos.entries()) {
        for (const { iteration } of repo.data?.attempts ?? []) {
          const changed = await changedSoFar(repo.dir, iteration);
          const known = screen.repos[index]?.changed ?? {};
          if (changed !== null)
            show(withRepo(screen, index, { changed: { ...known, [iteration]: changed } }));
        }
      }
    } finally {
      changedAt = performance.now() + Math.max(CHANGED_MS, (performance.now() - begun) * CHANGED_SHARE);
    }
  }

  const onEnd = () => leave({ command: null });
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  for (const signal of Object.keys(SIGNALS) as NodeJS.Signals[]) process.on(signal, onSignal);
  stdout.on('resize', onResize);
  stdin.on('end', onEnd);
  const stops: (() => void)[] = [];
  const tick = setInterval(() => {
    show({ ...screen, now: Date.now() });
    void lookAtChanged();
  }, TICK_MS);
  try {
    begin();
    listen();
    stops.push(...readers.map(({ follow }, index) => follow((read) => void onRead(index, read))));
    return await left;
  } finally {
    clearInterval(tick);
    if (resized !== null) clearTimeout(resized);
    for (const stop of stops) stop();
    stdout.off('resize', onResize);
    stdin.off('end', onEnd);
    for (const signal of Object.keys(SIGNALS) as NodeJS.Signals[]) process.off(signal, onSignal);
    end();
    silence();
  }
}

/** Returns the task that an effect is about; `null`: it isn't about a single task. */
function taskOf(effect: Effect, screen: Screen): string | null {
  if ('task' in effect) return effect.task;
  const repo = focused(screen);
  const isDecision = effect.do === 'decide' || effect.do === 'resume';
  return isDecision && repo !== null ? (chosenRow(repo, screen.filter)?.id ?? null) : null;
}

const BUSY: Screen['message'] = { text: 'working …', tone: 'busy' };
const SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

function isOwn(
  effect: Effect,
): effect is Extract<Effect, { do: 'plain' | 'suspend' | 'quit' | 'leave_for' }> {
  const { do: what } = effect;
  return what === 'plain' || what === 'suspend' || what === 'quit' || what === 'leave_for';
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): Pick<Screen, 'columns' | 'rows'> {
  return { columns: Math.max(20, columns || 80), rows: Math.max(6, rows || 24) };
}
