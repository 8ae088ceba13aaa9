/** What a line is about, which each form shows in its own way. `command`: you may run it, or something was done for you. */
export type Tone = 'good' | 'bad' | 'warning' | 'dim' | 'strong' | 'command';

/** A line of a message, before a form lays it out. */
export type Line = {
  readonly text: string;
  readonly tone?: Tone;
  /** What stands in front of the text: blanks or a sign. */
  readonly lead?: string;
  /** What stands in front of further lines; absent: blanks as wide as the lead. */
  readonly indent?: string;
  /** Sign behind the lead, with a tone of its own. */
  readonly sign?: { readonly text: string; readonly tone: Tone };
  /** Words behind the sign that stand out. */
  readonly strong?: string;
  /** The text is never broken, so that you can copy it. */
  readonly isWhole?: boolean;
};
