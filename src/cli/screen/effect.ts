/** What a key does beyond the screen: the same as a command of ralph. */
export type Effect =
  | { readonly do: 'control'; readonly request: 'pause' | 'continue' | 'stop' | 'stop_now' }
  /** Guidance for a task; `null`: for every task. */
  | { readonly do: 'guide'; readonly task: string | null; readonly text: string }
  /** Of an iteration, or the newest of a task. */
  | { readonly do: 'logs'; readonly which: string }
  | { readonly do: 'diff'; readonly which: string }
  | { readonly do: 'explain'; readonly task: string }
  | { readonly do: 'report' }
  | { readonly do: 'gate'; readonly request: string }
  | {
      readonly do: 'decide';
      readonly request: string;
      readonly option: string;
      /** It decides nothing. */
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
  | { readonly do: 'take'; readonly task: string }
  | { readonly do: 'hold' | 'first'; readonly task: string; readonly off: boolean }
  | { readonly do: 'stop_worker'; readonly worker: number }
  /** Opens the copy in your editor. */
  | { readonly do: 'open_copy' }
  /** Leaves the screen and carries out a command of ralph. */
  | { readonly do: 'leave_for'; readonly command: 'init' | 'demo' }
  | { readonly do: 'plain' }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit' };
