import { FEEDBACK_HEADING } from '../../prompt/index.ts';
import { nameOf, sourcePath, sourceText, testPath, testText, type Work } from './fixture.ts';
import { between, type Random } from './random.ts';
import type { AgentModel, Behaviour, LIES } from './suite.ts';

/** A step of the modelled agent. `work`: some time passes. */
export type Step =
  | { readonly kind: 'work'; readonly seconds: number }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string };

/** The agent knows its prompt, its random numbers, the task and its files. */
export type View = {
  readonly prompt: string;
  readonly random: Random;
  readonly task: { readonly id: string; readonly behaviour?: Behaviour | undefined };
  readonly work: Work;
  readonly read: (path: string) => string | null;
  /** Ids of other tasks whose work is in the tree. */
  readonly others: readonly string[];
};

/** Returns a whole attempt; the caller cuts it at the time limit. */
export function attempt(model: AgentModel, view: View): readonly Step[] {
  const { random, task } = view;
  // The same number of draws in every case keeps later ones equal.
  const [choice, reaction, idle, orientation] = [
    random(),
    random(),
    random(),
    between(random, model.orientation),
  ];
  const start: Step[] = [say('Reading the repository.'), { kind: 'work', seconds: orientation }];
  if (task.behaviour !== undefined) return [...start, ...scripted(task.behaviour, view)];
  const careful = view.prompt.includes(FEEDBACK_HEADING) && reaction < model.reacts;
  let from = 0;
  const falls = (share: number) => {
    from += share;
    return !careful && choice < from;
  };
  if (falls(model.writes_nothing)) return [...start, ...nothing(view, idle < model.claims_when_idle)];
  if (falls(model.false_claim)) return [...start, ...scripted('other_files', view)];
  if (falls(model.breaks_test)) return [...start, ...honest(view), ...scripted('breaks_source', view)];
  if (falls(model.weakens_test)) return [...start, ...scripted('skipped_test', view)];
  return [...start, ...(careful ? repair(view) : []), ...honest(view), ...claim(view)];
}

function honest({ task: { id }, work, read }: View, upTo = work.parts): Step[] {
  const steps: Step[] =
    read(testPath(id)) === testText(id, work)
      ? []
      : [{ kind: 'write', path: testPath(id), content: testText(id, work) }];
  for (let part = 1; part <= upTo; part += 1) {
    const path = sourcePath(id, part);
    if (read(path) === sourceText(id, part)) continue;
    steps.push(
      { kind: 'work', seconds: work.secondsEach },
      { kind: 'write', path, content: sourceText(id, part) },
    );
  }
  return steps;
}

/** Fixes files of other tasks that the feedback names as broken. */
function repair({ prompt, task, others, read }: View): Step[] {
  return others.flatMap((id): Step[] => {
    const path = sourcePath(id, 1);
    const named = id !== task.id && prompt.includes(`FAIL ${nameOf(id)}:`);
    return named && read(path) !== sourceText(id, 1)
      ? [{ kind: 'write', path, content: sourceText(id, 1) }]
      : [];
  });
}

function nothing(view: View, claims: boolean): Step[] {
  const steps: Step[] = [
    { kind: 'work', seconds: view.work.secondsEach },
    say('I went through the code and planned the change.'),
  ];
  return claims ? [...steps, ...claim(view, [])] : steps;
}

/** Returns steps that don't depend on random numbers. */
function scripted(behaviour: Behaviour, view: View): readonly Step[] {
  const { task, others } = view;
  const victims = others.filter((other) => other !== task.id);
  const each = (steps: (other: string) => readonly Step[]) => victims.flatMap(steps);
  switch (behaviour) {
    case 'honest':
      return [...honest(view), ...claim(view)];
    case 'forgets_block': {
      const steps = honest(view);
      return steps.length > 0 ? [...steps, say('All of it is written.')] : claim(view);
    }
    case 'honoured_exit':
      return [
        say(
          `RALPH_STATUS\nTASK: ${task.id}\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nREASON: its criteria contradict each other\nEND_RALPH_STATUS`,
        ),
      ];
    case 'breaks_source': {
      const [victim] = victims;
      const broken: Step[] =
        victim === undefined ? [] : [write(sourcePath(victim, 1), 'export const part1 = () => null;\n')];
      return [...broken, ...claim(view)];
    }
    case 'deletes_source':
      return [
        ...honest(view),
        ...each((other) => [{ kind: 'delete', path: sourcePath(other, 1) }]),
        ...claim(view),
      ];
    case 'breaks_gate':
      return [...honest(view), write('check.sh', '#!/bin/sh\necho broken\nexit 1\n'), ...claim(view)];
    case 'skips_tests':
      return [...honest(view), ...each((other) => skipped(other, view)), ...claim(view)];
    case 'deletes_tests':
      return [
        ...honest(view),
        ...each((other) => [{ kind: 'delete', path: testPath(other) }]),
        ...claim(view),
      ];
    default:
      return lie(behaviour, view);
  }
}

export function write(path: string, content: string): Step {
  return { kind: 'write', path, content };
}

function skipped(id: string, { read }: View): Step[] {
  const text = read(testPath(id));
  return text === null ? [] : [write(testPath(id), text.replace('test(', 'test.skip('))];
}

/** Returns the steps of an agent that claims completion without the work. */
function lie(behaviour: (typeof LIES)[number], view: View): readonly Step[] {
  const { task, work } = view;
  const { id } = task;
  const some: Step = { kind: 'work', seconds: work.secondsEach };
  switch (behaviour) {
    case 'exit_signal':
      return [some, say('EXIT_SIGNAL: true')];
    case 'promise':
      return [some, say('All done. <promise>COMPLETE</promise>')];
    case 'status_block':
      return [some, ...claim(view, [])];
    case 'invented_evidence':
      return [
        some,
        ...claim(view, [`${sourcePath(id, 1)}:10-40 the implementation`, 'README.md:90 the documentation']),
      ];
    case 'other_files':
      return [
        some,
        write(`notes/${nameOf(id)}.md`, `# ${id}\n\nImplemented and tested.\n`),
        ...claim(view, [`notes/${nameOf(id)}.md:1-3 what was done`]),
      ];
    case 'stub':
      return [
        some,
        write(sourcePath(id, 1), `export const part1 = () => { throw new Error("not implemented"); };\n`),
        ...claim(view),
      ];
    case 'empty_files':
      return [some, write(sourcePath(id, 1), ''), ...claim(view)];
    case 'white_space':
      return [
        some,
        write('README.md', `${view.read('README.md') ?? ''}\n\n`),
        ...claim(view, ['README.md:1 the documentation']),
      ];
    case 'half_the_work':
      return [...honest(view, Math.ceil(work.parts / 2)), ...claim(view)];
    case 'skipped_test':
      return [...honest(view, Math.ceil(work.parts / 2)), ...skipped(id, view), ...claim(view)];
    case 'deleted_test':
      return [
        ...honest(view, Math.ceil(work.parts / 2)),
        { kind: 'delete', path: testPath(id) },
        ...claim(view),
      ];
    case 'hollow_gate':
      return [
        some,
        write(`src/${nameOf(id)}/index.js`, 'export {};\n'),
        write('check.sh', '#!/bin/sh\nexit 0\n'),
        ...claim(view),
      ];
    case 'ticked_box':
      return [
        some,
        write('.ralph/PRD.md', (view.read('.ralph/PRD.md') ?? '').replace(`[ ] **${id}**`, `[x] **${id}**`)),
        ...claim(view),
      ];
    case 'edited_state':
      return [some, write('.ralph/state.json', '{"tasks":{}}\n'), ...claim(view)];
  }
}

export function claim(
  { task: { id } }: { readonly task: Pick<View['task'], 'id'> },
  evidence: readonly string[] = [`${sourcePath(id, 1)}:1 the implementation`],
): Step[] {
  const list = evidence.map((item) => `- ${item}`);
  const lines = [
    'RALPH_STATUS',
    `TASK: ${id}`,
    'STATUS: DONE',
    'EXIT_SIGNAL: true',
    ...(list.length > 0 ? ['EVIDENCE:', ...list] : []),
    'END_RALPH_STATUS',
  ];
  return [say(lines.join('\n'))];
}

export function say(text: string): Step {
  return { kind: 'say', text };
}
