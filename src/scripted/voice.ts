import { SCRIPTED_SESSION } from '../domain/scenario.ts';

/** How the scripted agent speaks on its standard output. */
export type Voice = {
  readonly say: (text: string) => void;
  readonly callTool: (name: string, input: Record<string, unknown>) => void;
  /** Hands over what was said so far: before anything that takes time or ends the program. */
  readonly flush: () => void;
  /** The closing report of an agent that ended well. */
  readonly close: () => void;
};

type Write = (line: string) => void;

/** Plain text: each text is a line or more. */
export function plainVoice(write: Write): Voice {
  const nothing = () => {};
  return { say: write, callTool: nothing, flush: nothing, close: nothing };
}

/** The claude stream: what is said without a tool between is one message, and the last one is the result. */
export function claudeVoice(write: Write): Voice {
  let said: string[] = [];
  let last = '';
  let calls = 0;
  const emit = (line: Record<string, unknown>) =>
    write(JSON.stringify({ ...line, session_id: SCRIPTED_SESSION }));
  const assistant = (block: Record<string, unknown>) =>
    emit({ type: 'assistant', message: { role: 'assistant', content: [block] }, parent_tool_use_id: null });
  const flush = () => {
    if (said.length === 0) return;
    last = said.join('\n');
    said = [];
    assistant({ type: 'text', text: last });
  };
  emit({ type: 'system', subtype: 'init' });
  return {
    say: (text) => {
      said.push(text);
    },
    callTool: (name, input) => {
      flush();
      calls += 1;
      assistant({ type: 'tool_use', id: `call-${calls}`, name, input });
    },
    flush,
    close: () => {
      flush();
      emit({ type: 'result', subtype: 'success', is_error: false, result: last });
    },
  };
}
