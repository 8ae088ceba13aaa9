import { SCRIPTED_SESSION } from '../../domain/scenario.ts';

export type Voice = {
  readonly say: (text: string) => void;
  /** Reports the call of a tool; returns its number, by which its result is reported. */
  readonly callTool: (name: string, input: Record<string, unknown>) => string;
  readonly reportResult: (id: string, ok: boolean, output: string) => void;
  readonly reportUsage: (inputTokens: number, outputTokens: number) => void;
  /** Writes all texts so far; called before anything that takes time or ends the program. */
  readonly flush: () => void;
  /** Writes the closing report of a successful agent. @param usage Usage, in the stream's fields. */
  readonly close: (usage?: object) => void;
};

type Write = (line: string) => void;

/** Plain text: each text is one or more lines. */
export function plainVoice(write: Write): Voice {
  const nothing = () => {};
  return {
    say: write,
    callTool: () => '',
    reportResult: nothing,
    reportUsage: nothing,
    flush: nothing,
    close: nothing,
  };
}

/** The claude stream: texts without a tool between them are one message, and the last is the result. */
export function claudeVoice(write: Write, session = SCRIPTED_SESSION): Voice {
  let texts: string[] = [];
  let last = '';
  let calls = 0;
  const emit = (line: Record<string, unknown>) => write(JSON.stringify({ ...line, session_id: session }));
  const assistant = (block: Record<string, unknown>) =>
    emit({ type: 'assistant', message: { role: 'assistant', content: [block] }, parent_tool_use_id: null });
  const flush = () => {
    if (texts.length === 0) return;
    last = texts.join('\n');
    texts = [];
    assistant({ type: 'text', text: last });
  };
  emit({ type: 'system', subtype: 'init' });
  return {
    say: (text) => {
      texts.push(text);
    },
    callTool: (name, input) => {
      flush();
      calls += 1;
      const id = `call-${calls}`;
      assistant({ type: 'tool_use', id, name, input });
      return id;
    },
    reportResult: (id, ok, output) => {
      const result = { type: 'tool_result', tool_use_id: id, is_error: !ok, content: output };
      emit({ type: 'user', message: { role: 'user', content: [result] } });
    },
    reportUsage: (inputTokens, outputTokens) => {
      flush();
      emit({ type: 'usage', input_tokens: inputTokens, output_tokens: outputTokens });
    },
    flush,
    close: (usage) => {
      flush();
      emit({ type: 'result', subtype: 'success', is_error: false, result: last, usage });
    },
  };
}
