/** What a line is about, which each form shows in its own way. `command`: you may run it, or something was done for you. */
export type Tone = 'good' | 'bad' | 'warning' | 'dim' | 'strong' | 'command';

/** A line of a message, before a form lays it out. */
export type Line = {
  readonly text: string;
  readonly tone?: Tone;
  /** Blanks or a sign before the text. */
  readonly lead?: string;
  /** Start of further lines; absent: blanks as wide as the lead. */
  readonly indent?: string;
  /** Sign after the lead, with its own tone. */
  readonly sign?: { readonly text: string; readonly tone: Tone };
  /** Bold words after the sign. */
  readonly strong?: string;
  /** The text is never broken, so that you can copy it. */
  readonly isWhole?: boolean;
};
