export type Key = {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
};

const NAMED: Readonly<Record<string, string>> = {
  return: '<enter>',
  enter: '<enter>',
  escape: '<escape>',
  backspace: '<backspace>',
  delete: '<delete>',
  up: '<up>',
  down: '<down>',
  left: '<left>',
  right: '<right>',
  home: '<home>',
  end: '<end>',
  pageup: '<pageup>',
  pagedown: '<pagedown>',
  tab: '<tab>',
};

/** Returns a key in the form that `press` takes, from what Node read; `null`: the screen doesn't use it. */
export function keyName(text: string | undefined, { name, ctrl, meta, shift }: Key): string | null {
  if (meta === true && name !== 'escape') return null;
  if (name === 'tab' && shift === true) return '<shift-tab>';
  if (ctrl === true) return name === undefined ? null : `<ctrl-${name}>`;
  const named = name === undefined ? undefined : NAMED[name];
  if (named !== undefined) return named;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out.
  return text === undefined || text === '' || /[\x00-\x1f\x7f]/.test(text) ? null : text;
}
