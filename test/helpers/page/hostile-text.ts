/**
 * Texts that agents and repositories may write, made to become more than text on a page; the address `fetched` must
 * never be requested.
 */
export const HOSTILE_TEXT: Readonly<Record<string, string>> = {
  script: '<script>globalThis.taken = 1</script><script src="http://fetched.invalid/a.js"></script>',
  'an end of the style': '</style></title></textarea></pre></details><script>globalThis.taken = 2</script>',
  handlers: `<img src=x onerror="globalThis.taken = 3"><svg/onload=globalThis.taken=4><details open ontoggle=globalThis.taken=5>`,
  'quotes of attributes': `"><b id='x' onmouseover="globalThis.taken = 6" style='background:url(http://fetched.invalid/b)'>' \` &quot; &#34;`,
  'addresses of scripts':
    'javascript:globalThis.taken=7 [x](javascript:globalThis.taken=8) data:text/html,<script>globalThis.taken=9</script>',
  elsewhere:
    '<link rel=stylesheet href=//fetched.invalid/c><iframe src=//fetched.invalid/d></iframe><base href=//fetched.invalid/>',
  'a policy of its own':
    '<meta http-equiv="refresh" content="0;url=http://fetched.invalid/e"><meta http-equiv=Content-Security-Policy>',
  comments: '<!-- --!> --> <![CDATA[ ]]> <?xml ?> <!doctype html><plaintext>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text as an agent writes it
  templates: '{{constructor.constructor("globalThis.taken=10")()}} ${globalThis.taken=11} <%= taken %>',
  'controls and NUL':
    'a\u0000<scr\u0000ipt>\u0001\u0008\u000b\u000c\u007f\u0085\u009b31mred\u001b[31m\u001b]8;;http://fetched.invalid/f\u0007link\u001b]8;;\u0007',
  'marks that reorder': 'a\u202e\u2066\u2067gpj.\u2069\u202c\u200f\u200eb\u2028c\u2029d\ufeffe\u{e0041}f',
  'halves of characters': 'a\ud83d \udc00b \ud800',
};
