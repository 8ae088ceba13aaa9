export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not say. */
  readonly session: number;
  /** When it started, in the system's own words: together with the number it names one process. */
  readonly started: string;
  readonly zombie: boolean;
  /** Own processor time and that of children it has waited for; `null` where the system does not say. */
  readonly cpuMs: { readonly own: number; readonly children: number } | null;
};

/** A running program without what ralph put in front of it (supervisor, bubblewrap). */
export type ProgramTree = {
  /** The process that the program was started as; `null`: it is gone. */
  readonly program: ProcessRow | null;
  /** All else that runs with it, those that lost their parent included. */
  readonly others: readonly ProcessRow[];
};
