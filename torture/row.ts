/** The result of a row. A row is kept when nothing failed. */
export type Outcome =
  | {
      readonly kind: 'measured';
      readonly trials: number;
      /** The figure of the row as text for the screen. */
      readonly result: string;
      /** One line for each trial that broke the promise, with what is needed to repeat it. */
      readonly failures: readonly string[];
    }
  | { readonly kind: 'not_run'; readonly reason: string };

/** Functions and settings that a row gets. */
export type Tools = {
  /** Returns the number of trials at this dose (`--dose`) for a full size; at least `least`, by default 1. */
  readonly size: (full: number, least?: number) => number;
  /** Overwrites a line on the terminal with the progress. */
  readonly progress: (done: number, total: number, note?: string) => void;
  /** Returns a number from 0 to below 1 that depends on the seed. */
  readonly random: () => number;
  /** Absolute top of ralph's own repository, where the built program is. */
  readonly root: string;
  /** The attacks to play, by name or by point, with commas between (`--attack`); `null`: all. */
  readonly attack: string | null;
  /**
   * Absolute path of a file with the results of earlier runs of a long row, a line for each part (`--parts`), which add
   * up. `null`: none.
   */
  readonly parts: string | null;
};

/** One line of the reliability table of the promises. */
export type Row = {
  readonly id: string;
  readonly what: string;
  readonly target: string;
  readonly run: (tools: Tools) => Promise<Outcome>;
};

export function measured(trials: number, result: string, failures: readonly string[]): Outcome {
  return { kind: 'measured', trials, result, failures };
}
