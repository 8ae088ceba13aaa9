import { join } from 'node:path';
import type { Place } from './bench.ts';
import type { Call, Turn } from './model/scenario.ts';

/** The end of a message that claims completion, with or without files to show. */
export function claim(...evidence: readonly string[]): string {
  const items = evidence.map((item) => `- ${item}\n`).join('');
  return `RALPH_STATUS\nTASK: T-1\nSTATUS: DONE\nEXIT_SIGNAL: true\nEVIDENCE:\n${items}END_RALPH_STATUS`;
}

export function says(text: string, ...calls: readonly Call[]): Turn {
  return { kind: 'says', text, calls };
}

export function shell(command: string, patienceMs?: number): Call {
  return { kind: 'shell', command, ...(patienceMs === undefined ? {} : { patienceMs }) };
}

/** Writes a file of the repository. */
export function write({ root }: Place, name: string, content: string): Call {
  return { kind: 'write', path: join(root, name), content };
}

/** The task done as it should be. `isBoxed`: else the copy has a path of its own, which the scenario doesn't know. */
export function doesTheWork(place: Place, { isBoxed = true } = {}): readonly [Turn, Turn, Turn] {
  const creates = isBoxed
    ? write(place, 'src/hello.txt', 'hello from the agent\n')
    : shell('echo hello from the agent > src/hello.txt');
  return [
    says('I will create the file.', creates),
    says('Now I look at it.', shell('cat src/hello.txt')),
    says(`I created src/hello.txt.\n\n${claim('src/hello.txt:1 created')}`),
  ];
}

/** Exactly this call, whatever tools the agent offers. */
export function raw(name: string, input: Record<string, unknown> | string): Call {
  return { kind: 'raw', name, input };
}
