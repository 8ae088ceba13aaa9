import { emitKeypressEvents, type Interface } from 'node:readline';
import { deferred } from 'ralph-kit/deferred';
import { openReader, type RepositoryRead } from '../../app/commands/follow-repository.ts';
import { printable, type Terminal, terminalWith } from '../../io/ui/index.ts';
import type { Effect } from './effect.ts';
import { frameOf, placeIn } from './frame.ts';
import { type Drawing, openDrawing } from './ink.ts';
import { type Key, keyName } from './press.ts';
import {
  aboutTask,
  afterEffect,
  afterKey,
  afterRead,
  isOwn,
  type Outcome,
  type OwnEffect,
  type Session,
  taskOf,
  withTextAgain,
} from './session.ts';
import { emptyScreen, focused, HOME, type Screen, withRepo } from './state.ts';

/** Milliseconds between two frames while clocks run. */
const TICK_MS = 1000;
/** Milliseconds after which Escape counts as a key of its own, instead of as the beginning of another key. */
const ESCAPE_MS = 40;
const RESIZE_MS = 40;
/** Milliseconds between two readings of an attempt's changes. Reading takes at most 1/20 of the time. */
const CHANGED_MS = 10_000;
const CHANGED_SHARE = 20;
const SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** How the screen was left. `command`: command that runs next; `null`: none. */
export type Left = { readonly command: 'init' | 'demo' | null };

type Given = {
  /** Folders to show, as absolute paths. */
  readonly dirs: readonly { readonly dir: string; readonly name: string }[];
  readonly color: boolean;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
};

/** Shows the screen until you leave it: what is shown follows from the session, which `session.ts` changes. */
export async function openScreen({ dirs, color, stdin, stdout }: Given): Promise<Left> {
  let session: Session = { screen: emptyScreen(dirs), isPlain: false, asked: 0 };
  let drawing: Drawing | null = null;
  const { promise: left, resolve: leave } = deferred<Left>();
  const sized = terminals(color);
  const lines = () => frameOf(session.screen, sized);

  function show(next: Partial<Session>): void {
    session = { ...session, ...next };
    drawing?.draw(lines());
  }

  function begin(): void {
    session = { ...session, screen: { ...session.screen, ...sizeOf(stdout), now: Date.now() } };
    if (!session.isPlain) drawing = openDrawing(stdout, lines());
  }

  function end(): void {
    drawing?.end();
    drawing = null;
  }

  // ---------- reading

  const readers = dirs.map(({ dir }) => openReader(dir));

  async function onRead(index: number, read: RepositoryRead): Promise<void> {
    const after = afterRead(
      session,
      index,
      read.data === null ? read : { ...read, data: printable(read.data) },
    );
    for (const line of after.lines) stdout.write(`${line}\n`);
    show(after.session);
    const { view } = session.screen;
    if (read.data === null || index !== session.screen.focus) return;
    if (view.kind !== 'text' || view.again === null) return;
    const atEnd = placeIn(session.screen, sized)?.atEnd === true;
    const outcome = await perform(view.again);
    show({ screen: withTextAgain(session.screen, view, outcome, atEnd) });
  }

  // ---------- keys

  function onKey(text: string | undefined, key: Key): void {
    const name = keyName(text, key);
    if (name === null) return;
    const wasPlain = session.isPlain;
    const after = afterKey(session, name, placeIn(session.screen, sized)?.top ?? null);
    show(after.session);
    if (wasPlain && !session.isPlain) begin();
    if (after.effect !== null) void carryOut(after.effect);
  }

  async function carryOut(effect: Effect): Promise<void> {
    if (isOwn(effect)) return carryOutOwn(effect);
    const { focus: index } = session.screen;
    const { asked } = session;
    const about = taskOf(effect, session.screen);
    const outcome = await perform(effect);
    show({ screen: afterEffect(session, outcome, asked) });
    await readers[index]?.read();
    // The message is about the task's state after the effect, so it is added after the state is read.
    if (outcome?.kind === 'message' && about !== null)
      show({ screen: aboutTask(session.screen, index, about) });
  }

  function carryOutOwn(effect: OwnEffect): void {
    if (effect.do === 'quit') leave({ command: null });
    else if (effect.do === 'leave_for') leave({ command: effect.command });
    else if (effect.do === 'suspend') suspend();
    else {
      end();
      stdout.write('Plain lines: s goes back to the full screen, q leaves.\n');
    }
  }

  async function perform(effect: Effect): Promise<Outcome | null> {
    const repo = focused(session.screen);
    if (repo === null || isOwn(effect)) return null;
    try {
      const { act, refusalOf } = await import('./act.ts');
      const refused = await refusalOf(effect, repo.dir);
      if (refused !== null) return refused;
      const { openCopy, openList } = await import('./beyond.ts');
      if (effect.do === 'open_copy') return await outside(() => openCopy(repo.dir));
      if (effect.do === 'criteria') return await outside(() => openList(repo, effect.task));
      const { view } = session.screen;
      const back = view.kind === 'choice' ? view : HOME;
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
      begin();
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
      begin();
    });
    process.kill(0, 'SIGTSTP');
  }

  let resized: NodeJS.Timeout | undefined;
  /** Draws only once the size stays for a moment, because a resized window passes many sizes. */
  function onResize(): void {
    clearTimeout(resized);
    resized = setTimeout(() => {
      if (drawing === null) return;
      session = { ...session, screen: { ...session.screen, ...sizeOf(stdout) } };
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
  async function readChanged(): Promise<void> {
    if (drawing === null || performance.now() < changedAt) return;
    changedAt = Number.POSITIVE_INFINITY;
    const begun = performance.now();
    const { changedSoFar } = await import('./beyond.ts');
    try {
      for (const [index, repo] of session.screen.repos.entries()) {
        for (const { iteration } of repo.data?.attempts ?? []) {
          const read = await changedSoFar(repo.dir, iteration);
          if (read === null) continue;
          const changed = { ...session.screen.repos[index]?.changed, [iteration]: read };
          show({ screen: withRepo(session.screen, index, { changed }) });
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
    show({ screen: { ...session.screen, now: Date.now() } });
    void readChanged();
  }, TICK_MS);
  try {
    begin();
    listen();
    stops.push(...readers.map(({ follow }, index) => follow((read) => void onRead(index, read))));
    return await left;
  } finally {
    clearInterval(tick);
    clearTimeout(resized);
    for (const stop of stops) stop();
    stdout.off('resize', onResize);
    stdin.off('end', onEnd);
    for (const signal of Object.keys(SIGNALS) as NodeJS.Signals[]) process.off(signal, onSignal);
    end();
    silence();
  }
}

/** Returns a function that returns the terminal of a width, the same one each time. */
function terminals(color: boolean): (width: number) => Terminal {
  const known = new Map<number, Terminal>();
  return (width) => {
    const terminal = known.get(width) ?? terminalWith({ live: true, color, width });
    known.set(width, terminal);
    return terminal;
  };
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): Pick<Screen, 'columns' | 'rows'> {
  return { columns: Math.max(20, columns || 80), rows: Math.max(6, rows || 24) };
}
