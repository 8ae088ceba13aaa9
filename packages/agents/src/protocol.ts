import type { Action } from 'ralph-kit/actions/action';
import type { AgentHome, Inherits } from 'ralph-kit/agent-home';
import type { AcpProgram } from './acp-program.ts';
import type { ToolCall } from './action.ts';
import type { AgentEvent } from './event.ts';
import type { ChannelHook, HookContract, HookPlace, SocketHook } from './hook.ts';
import type { Interactive } from './hooks/interactive.ts';
import type { StopHook } from './hooks/stop-hook.ts';
import type { AgentName, AgentOutput } from './known.ts';
import type { AnswerRow, ServiceAnswer } from './service.ts';

/** The input from which an adapter makes the command line of one attempt. Paths are absolute. */
export type AgentRequest = {
  readonly prompt: string;
  /** Path of a file with the same prompt, for agents that read prompts from files. */
  readonly promptFile: string;
  readonly cwd: string;
  readonly model: string | null;
  readonly extraArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Id of a session to continue; `null`: a new session. */
  readonly resume: string | null;
  /**
   * Cost in US dollars at which the agent's program stops itself. Absent: there is no limit, or the program has no
   * switch for one.
   */
  readonly costLimitUsd?: number;
  /** Short name of the task, for agents that name their sessions. */
  readonly title: string;
  /** Whether the agent runs in ralph's box. */
  readonly boxed: boolean;
  /** Place where the agent's hook reaches ralph before each action; `null`: the agent has no hook. */
  readonly hook: HookPlace | null;
  /** A new UUID, for agents that let the caller choose the id of a new session. */
  readonly session: string;
  /**
   * Path of a file for agents that report in a file. The file doesn't exist yet, and only this attempt can write to it.
   */
  readonly reportFile: string;
};

export type AgentPlan = {
  readonly argv: readonly [string, ...string[]];
  /** Environment variables that are added to ralph's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Environment variables that are used only if neither ralph's environment nor `env` sets them. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Id of the agent's session. Absent: the id isn't known before the agent starts. */
  readonly session?: string;
  /** Id of the session to continue, for agents that get it in a message instead of the command line. */
  readonly resume?: string | null;
  /** A report file of the agent, read after the agent has ended. Its folder belongs to this attempt alone. */
  readonly report?: { readonly path: string; readonly parse: (text: string) => readonly AgentEvent[] };
  /**
   * Standard input of the agent. `prompt`: the prompt; `empty`: closed at once; `channel`: stays open for the lines of
   * a control channel.
   */
  readonly stdin: 'prompt' | 'empty' | 'channel';
  /** Files that ralph writes into the hook's folder before the agent starts. Names have no folders. */
  readonly files?: readonly { readonly name: string; readonly content: string }[];
  readonly overlay?: SettingsOverlay;
};

/**
 * A home folder for one attempt, for agents that read hooks only from your settings. It links to the content of your
 * own home folder, except for one file, to which ralph adds settings.
 */
export type SettingsOverlay = {
  /** Environment variable that names the home folder to the agent. */
  readonly variable: string;
  /** Name of the settings folder in the home folder; `file` is the JSON file in it that gets more settings. */
  readonly folder: string;
  readonly file: string;
  /** Settings to add to the file: objects are merged, lists are joined. */
  readonly add: Readonly<Record<string, unknown>>;
  /**
   * Folders that the agent writes to, in the settings folder. Missing ones are made in your own home folder, so that
   * their content outlives the attempt.
   */
  readonly kept: readonly string[];
  /** Files that the agent reads from the home folder, outside the settings folder. */
  readonly siblings: readonly string[];
};

/** Returns a function that reads the output lines of one attempt. */
export function lineReader({ parse, open }: Pick<OutputFormat, 'parse' | 'open'>): OutputFormat['parse'] {
  return open?.() ?? parse;
}

/** Format of an agent's standard output. */
export type OutputFormat = {
  readonly output: AgentOutput;
  /** Returns the events of one line, given without its line end; none for unknown lines. Never throws. */
  readonly parse: (line: string) => readonly AgentEvent[];
  /**
   * Returns a reader for the lines of one attempt, which replaces `parse` if lines refer to earlier lines. Absent:
   * lines are independent.
   */
  readonly open?: (() => (line: string) => readonly AgentEvent[]) | undefined;
  /** Whether the output is plain text of the agent. `parse` then gets several lines as one text, which is faster. */
  readonly plainText?: boolean | undefined;
  /**
   * Whether each command of the agent's tools runs in a process session of its own, so that ralph can tell its
   * processes from the agent's.
   */
  readonly toolSessions?: boolean | undefined;
  /** When the agent reports tokens and cost; absent: never. */
  readonly usage?: ReportedUsage | undefined;
  readonly aside?: Aside | undefined;
};

/** What a program says of its service beside its output. */
export type Aside = {
  /** Matches a line of standard error about why the program can't begin. */
  readonly cannotBegin?: RegExp;
  /** Matches a line of standard error about a retried request. The groups are the failed try's number and the status. */
  readonly retries?: RegExp;
  /** Returns the service's answer that an exit code stands for; `null`: it has no meaning. */
  readonly exitAnswer?: (code: number) => Pick<ServiceAnswer, 'status' | 'words'> | null;
  /** What only this program says of its service, in its output, too. */
  readonly answers?: readonly AnswerRow[];
};

/** `live`: while the agent works; `end`: when it ends; `null`: never. */
export type ReportedUsage = { readonly tokens: 'live' | 'end'; readonly cost: 'live' | 'end' | null };

/** The functions that know one coding agent. All of them are pure. */
export type AgentAdapter = OutputFormat & {
  readonly name: string;
  /** The model from `[runners.NAME] model`; `null`: the agent's own choice. */
  readonly model: string | null;
  readonly plan: (request: AgentRequest) => AgentPlan;
  /** Whether a resumed session reports its usage since its first attempt, not since it was resumed. */
  readonly cumulativeUsage: boolean;
  /**
   * Command line switch for `costLimitUsd`, used if the installed program's `--help` lists it. Absent: the agent has no
   * such switch.
   */
  readonly costSwitch?: string;
  /** How the agent asks ralph before it acts; `null`: it can't, so ralph sees its actions only in the output stream. */
  readonly hook: HookContract | null;
  /** Folders with the agent's own data; `null`: ralph knows none. */
  readonly home: AgentHome | null;
  /**
   * Milliseconds for which the agent may repeat failed requests without any output. Absent: the agent reports repeats,
   * or the time is unknown.
   */
  readonly silentRetriesMs?: number | undefined;
  /** Environment variables that the agent gets from ralph's environment in the box. `plan` adds more. */
  readonly inherits: Inherits;
  /**
   * Your patterns for the last output lines at a usage limit, and at an outage of the agent's service (`[runners.NAME]
   * limit`, `outage`).
   */
  readonly trouble?: { readonly limit: RegExp | null; readonly outage: RegExp | null };
  readonly log?: AgentLog;
  /** The agent is killed at once instead of being asked to end: on SIGTERM it would continue to work. */
  readonly endsAtOnce?: true | undefined;
  /** Files with instructions that the agent reads without ralph; absent: ralph knows none. */
  readonly notes?: OwnNotes | undefined;
  /** Arguments with which the agent keeps no session that could be continued. */
  readonly sessionless?: readonly string[];
  /** One of these arguments is set. */
  readonly keepsNoSession?: boolean;
};

/** Files with instructions that an agent reads without ralph, relative to the repository. */
export type OwnNotes = {
  /** Paths in the order in which the agent looks for them. */
  readonly files: readonly string[];
  /** Which of these files the agent reads: all, or only the first one that exists (`first`). */
  readonly which: 'all' | 'first';
  /** The agent reads these files only if its actions aren't reviewed. */
  readonly onlyUnreviewed?: true;
  /** Prefixes of command line arguments that keep the agent from reading these files. */
  readonly disablingArguments: readonly string[];
};

/** A log file that an agent writes for a session, with events that its output stream doesn't report. */
export type AgentLog = {
  /** Returns the path of a session's log file below the home folder, without `~/`. */
  readonly file: (session: string) => string;
  /**
   * Returns the events that show why the agent couldn't work at the end of the log. Entries from before `since`
   * (milliseconds since 1970) are ignored.
   */
  readonly read: (text: string, since: number, session: string) => readonly AgentEvent[];
};

/** Variables of model providers, for agents that use many. */
export const OF_PROVIDERS = [
  'ANTHROPIC_*',
  'OPENAI_*',
  'GEMINI_*',
  'GOOGLE_*',
  'AWS_*',
  'AZURE_*',
  'OPENROUTER_*',
  'MISTRAL_*',
  'GROQ_*',
  'DEEPSEEK_*',
  'XAI_*',
] as const;

/** What is known of a program that may be an agent, whether it has an adapter or not. */
export type Program = Partial<
  Pick<AgentAdapter, 'home' | 'inherits' | 'notes' | 'aside' | 'silentRetriesMs' | 'endsAtOnce'>
> & {
  /** Folders with its settings below the home folder, if they have another name than the program. */
  readonly settingsFolders?: readonly string[];
  /** How it is started over the Agent Client Protocol, and for what it was seen to ask; absent: it doesn't speak it. */
  readonly acp?: AcpProgram;
};

/** An agent with an adapter of its own. Each member is a fact about the agent's program; `conformance.test.ts` checks them. */
export type Agent = AgentAdapter &
  Program & {
    readonly name: AgentName;
    readonly hook: SocketHook | ChannelHook;
    readonly home: AgentHome;
    readonly inherits: Inherits;
    /** Returns what a call of the agent's tool does. */
    readonly action: (call: ToolCall) => Action;
    /** Command that installs the agent. */
    readonly install: string;
    /** Minimum context window of the usual model, in tokens. */
    readonly contextWindow: number;
    /** Whether it can continue sessions, including those of stopped attempts. */
    readonly resumes: boolean;
    readonly usage: ReportedUsage;
    /** Hosts of models and sign-in; for agents with many providers, the usual ones. */
    readonly hosts: readonly string[];
    /** Signs of a login: variables and files below the home folder. Neither is read. */
    readonly login: { readonly variables: readonly string[]; readonly files: readonly string[] };
    /** Variable that must be 1 to run as root; `null`: none is needed. */
    readonly rootNeeds: string | null;
    /** How it asks ralph when you use it yourself, outside of a run; `null`: it asks no command. */
    readonly interactive: Interactive | null;
    /** How it asks before it stops; a sentence without its full stop: why a hook there would check nothing; `null`: unknown. */
    readonly stopHook: StopHook | string | null;
    /** Matches the end of a path in a repository from which the agent starts programs, such as hooks and tool servers. */
    readonly runsOnOpen: RegExp;
    /** Files that may name tool servers (MCP), below the home folder and in a repository (`namedServers`). */
    readonly servers: { readonly home: readonly string[]; readonly repository: readonly string[] };
  };
