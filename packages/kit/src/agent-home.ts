export type AgentFolder = {
  readonly path: string;
  /** Environment variable that names another place for the folder; `null`: there is none. The box sets it. */
  readonly variable: string | null;
  /** Environment variable that names another place for the parent folder; `null`: there is none. */
  readonly base: string | null;
};

/** Paths below the home folder, without `~/`. The box replaces `folders`, so that no write has an effect outside. */
export type AgentHome = {
  readonly folders: readonly AgentFolder[];
  /**
   * Paths of your settings, hooks, plug-ins and skills, which the box shows read-only. Those that you lack are missing
   * for the agent, too.
   */
  readonly settings: readonly string[];
  /** Files by which the agent continues its sessions (`*`: anything). Only these are kept for its next attempt. */
  readonly sessions: readonly string[];
  /**
   * Files with which the agent signs in. They are copied into the box before an attempt, and copied back if the agent
   * refreshed them.
   */
  readonly signIns: readonly SignIn[];
  /** Files with the agent's account among other data: copied into the box before an attempt, never copied back. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
  /** Environment variables that report isolation to the agent, set in the box unless you set them. */
  readonly isolated?: Readonly<Record<string, string>>;
  /** The agent starts its commands in a sandbox of its own, inside the box. */
  readonly nests: boolean;
};

/** A JSON file with one or more sign-ins of an agent. The names below are paths within one sign-in: `a.b` is member `b` of `a`. */
export type SignIn = {
  /** Path below the home folder, without `~/`. */
  readonly path: string;
  /**
   * Content of the file: one sign-in (`one`), a sign-in in each member (`many`), or one in the named member. Nothing
   * else is copied back.
   */
  readonly holds: 'one' | 'many' | { readonly member: string };
  /** Members of a sign-in that the agent replaces when it refreshes the sign-in. */
  readonly tokens: readonly string[];
  /** Members with the time of expiry or refresh: numbers, or ISO 8601. A JWT holds its own expiry time. */
  readonly times: readonly string[];
  /** Members that name the account. A JWT names its account itself. */
  readonly account: readonly string[];
  /** The account's name is in another file: one of `copies`, by its path in the box. */
  readonly accountIn?: { readonly file: string; readonly member: string };
};

/**
 * Environment variables of a program in the box. `but-secrets`: all but secrets; `ordinary`: those that builds and
 * tools need; `additional`: names of further ones (`*`: anything).
 */
export type Inherits = {
  readonly which: 'all' | 'but-secrets' | 'ordinary';
  readonly additional: readonly string[];
};
