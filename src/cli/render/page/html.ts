import { createHash } from 'node:crypto';
import { Fragment, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SCRIPT } from './page-script.ts';
import type { Part, Section } from './parts.ts';
import { STYLE } from './style.ts';

/**
 * Policy of all pages: only ralph's own style and script are used, whatever text is in a page, and nothing is loaded
 * from elsewhere.
 */
const OWN = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'`;
/** Policy of a page in a file, which can't send anything. */
const POLICY_OF_FILE = `${OWN}; form-action 'none'`;
/**
 * Policy that the server sends with each page: forms and live states come from ralph itself, and no frame can show the
 * page.
 */
export const POLICY_OF_SERVER = `${OWN}; connect-src 'self'; form-action 'self'; frame-ancestors 'none'`;

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export type PageContent = {
  readonly title: string;
  readonly head: Part;
  readonly sections: readonly Section[];
  readonly foot: Part;
};

export type Served = {
  /** Path of the live states; `null`: the page doesn't change. */
  readonly follow: string | null;
  /** Result of the last action; `null`: there was none. */
  readonly notice: { readonly ok: boolean; readonly text: string } | null;
};

/** Returns a page in one file. All text is escaped, and the policy stops any script that got in nevertheless. */
export function htmlPage(content: PageContent, served: Served | null = null): string {
  const policy =
    served === null ? `<meta http-equiv="Content-Security-Policy" content="${POLICY_OF_FILE}">\n` : '';
  const notice = served === null ? '' : renderToString(noticePart(served.notice));
  const follow = served?.follow == null ? {} : { 'data-follow': served.follow };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="${served === null ? 'no-referrer' : 'same-origin'}">
<meta name="robots" content="noindex">
${renderToString(h('title', null, content.title))}
<style>${STYLE}</style>
</head>
<body>
${renderToString(h('a', { class: 'skip', href: '#main' }, 'Skip to the content'))}
${notice}
${renderToString(h('div', { id: 'page', ...follow }, contentPart(content)))}
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Returns the parts of a live page that change, as HTML. */
export function liveContent(content: PageContent): string {
  return renderToString(contentPart(content));
}

function contentPart({ title, head, sections, foot }: PageContent): VNode {
  return h(
    Fragment,
    null,
    h('header', { 'data-key': 'head' }, h('h1', null, title), head, contents(sections)),
    h(
      'main',
      { id: 'main' },
      ...sections.map(({ id, title: name, content }) =>
        h('section', { 'aria-labelledby': id }, h('h2', { id, tabIndex: -1 }, name), content),
      ),
    ),
    h('footer', null, foot),
  );
}

function noticePart(notice: Served['notice']): VNode {
  const tone = notice === null ? '' : notice.ok ? 'good' : 'bad';
  return h('p', { id: 'said', role: 'status', class: tone }, notice?.text ?? '');
}

function contents(sections: readonly Section[]): Part {
  const links = sections.map(({ id, title }) => h('li', null, h('a', { href: `#${id}` }, title)));
  return links.length < 3 ? null : h('nav', { 'aria-label': 'Contents' }, h('ul', null, ...links));
}
