import { describe, expect, it } from 'vitest';
import { withTrackerPath } from '../../../src/app/setup/init/find-lists.ts';

describe('a configuration with another list', () => {
  it.each([
    ['', '[tracker]\npath = "b.md"\n'],
    ['[loop]\nmode = "speed"\n', '[loop]\nmode = "speed"\n[tracker]\npath = "b.md"\n'],
    ['[tracker]\n# path = ""\n[git]\n', '[tracker]\npath = "b.md"\n[git]\n'],
    ['[tracker] # mine\nkind = "auto"\n', '[tracker] # mine\npath = "b.md"\nkind = "auto"\n'],
    ["[tracker]\r\npath = 'a.md' # old\r\n", '[tracker]\r\npath = "b.md"\r\n'],
    // A key `path` in another section isn't that of the tracker.
    ['[box]\npath = "x"\n[tracker]\n', '[box]\npath = "x"\n[tracker]\npath = "b.md"\n'],
  ])('%j', (before, after) => expect(withTrackerPath(before, 'b.md')).toBe(after));

  it.each([
    ['a section in one line', 'tracker = { path = "a.md" }\n'],
    ['a key of two parts', 'tracker.path = "a.md"\n'],
    ['what looks like it inside of a text', 'x = """\n[tracker]\n"""\n'],
    ["what isn't TOML", '[tracker\n'],
  ])('is left to you: %s', (_, text) => expect(withTrackerPath(text, 'b.md')).toBeNull());
});
