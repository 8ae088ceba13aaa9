const TRAILER = /^[A-Za-z][\w-]*: \S/;

/** Appends trailers to a message's trailer block, or as a new one. */
export function withTrailers(message: string, ...trailers: readonly string[]): string {
  const text = message.trimEnd();
  const block =
    text
      .split(/\n[ \t]*\n/)
      .slice(1)
      .at(-1)
      ?.split('\n') ?? [];
  const isBlock = block.length > 0 && block.every((line) => TRAILER.test(line));
  return `${text}\n${isBlock ? '' : '\n'}${trailers.join('\n')}`;
}
