/** A process on the way from a command up to the first process, the command itself first. */
export type Ancestor = {
  readonly pid: number;
  /** 0: no one here started it. */
  readonly parent: number;
  /** On one scale for all processes of this machine; larger is later. */
  readonly startedAt: number;
  /** 0 where the system does not say. */
  readonly session: number;
  /** It becomes the parent of processes whose own is gone. */
  readonly adopts: boolean;
  /** It carries the mark of what a ralph of this repository started. */
  readonly marked: boolean;
};

/** A run (or a command that holds the run lock) that is active in the repository. */
export type LiveRun = {
  readonly pid: number;
  /** As of an `Ancestor`. */
  readonly startedAt: number;
  /** As the lock names it. */
  readonly run: string | null;
};
