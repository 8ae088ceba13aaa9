export type Effect =
  | { readonly do: 'control'; readonly request: 'pause' | 'continue' | 'stop' | 'stop_now' }
  /** Guidance for a task. `task` `null`: for all tasks. */
  | { readonly do: 'guide'; readonly task: string | null; readonly text: string }
  /** `which`: number of an iteration, or a task, which means its newest attempt. */
  | { readonly do: 'logs'; readonly which: string }
  | { readonly do: 'diff'; readonly which: string }
  | { readonly do: 'explain'; readonly task: string }
  | { readonly do: 'report' }
  | { readonly do: 'gate'; readonly request: string }
  | {
      readonly do: 'decide';
      readonly request: string;
      readonly option: string;
      /** Whether the option only shows something and decides nothing. */
      readonly shows: boolean;
      readonly reason: string | null;
      readonly guidance: string | null;
      readonly agent: string | null;
    }
  | { readonly do: 'incident'; readonly incident: string }
  | { readonly do: 'resume'; readonly incident: string | null; readonly option: string | null }
  | { readonly do: 'accept'; readonly task: string }
  | { readonly do: 'reopen'; readonly task: string; readonly reason: string }
  | { readonly do: 'answer'; readonly task: string; readonly text: string }
  | { readonly do: 'unblock'; readonly task: string; readonly timeout: string }
  | { readonly do: 'retitle'; readonly task: string; readonly title: string }
  | { readonly do: 'criteria'; readonly task: string }
  | { readonly do: 'take' | 'land'; readonly task: string }
  | { readonly do: 'hold' | 'first'; readonly task: string; readonly off: boolean }
  | { readonly do: 'stop_worker'; readonly worker: number }
  | { readonly do: 'open_copy' }
  | { readonly do: 'leave_for'; readonly command: 'init' | 'demo' }
  | { readonly do: 'plain' }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit' };
