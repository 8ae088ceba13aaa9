/** The result of a row. A row is kept when nothing failed. */
export type Outcome =
  | {
      readonly kind: 'measured';
      readonly trials: number;
      /** The figure, for the screen. */
      readonly result: string;
      /** One line for each trial that broke the promise, with what is needed to repeat it. */
      readonly failures: readonly string[];
    }
  | { readonly kind: 'not_run'; readonly reason: string };

/** What a row gets to work with. */
export type Tools = {
  /** The number of trials at this dose of a full size; at least `least` (1). */
  readonly size: (full: number, least?: number) => number;
  /** A line on a terminal that is overwritten. */
  readonly progress: (done: number, total: number, note?: string) => void;
  /** From 0 to below 1, following from the seed. */
  readonly random: () => number;
  /** Absolute top of ralph's own repository, where the built program is. */
  readonly root: string;
  /** The attacks to play, by name or by point, with commas between (`--attack`); `null`: all. */
  readonly attack: string | null;
  /** Absolute path of a file that holds what earlier runs of a long row came to, a line for each part (`--parts`); they add up. `null`: none. */
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
