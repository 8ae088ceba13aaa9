import { createHash } from 'node:crypto';
import { Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Part, Section } from './parts.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, run or sent from the page, whatever stands in it; its own style alone counts. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A page in one file: all of its text is escaped, and its policy lets nothing run that got in nevertheless. */
export function htmlPage({
  title,
  head,
  sections,
  foot,
}: {
  readonly title: string;
  readonly head: Part;
  readonly sections: readonly Section[];
  readonly foot: Part;
}): string {
  const body = h(
    Fragment,
    null,
    h('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
    h('header', null, h('h1', null, title), head, contents(sections)),
    h(
      'main',
      { id: 'main' },
      ...sections.map(({ id, title: name, content }) =>
        h('section', { 'aria-labelledby': id }, h('h2', { id, tabIndex: -1 }, name), content),
      ),
    ),
    h('footer', null, foot),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
${renderToString(h('title', null, title))}
<style>${STYLE}</style>
</head>
<body>
${renderToString(body)}
</body>
</html>
`;
}

function contents(sections: readonly Section[]): Part {
  const links = sections.map(({ id, title }) => h('li', null, h('a', { href: `#${id}` }, title)));
  return links.length < 2 ? null : h('nav', { 'aria-label': 'Contents' }, h('ul', null, ...links));
}
