import fc from 'fast-check';

const HASH = 'ab'.repeat(32);

/** Texts made of signs, words and whole blocks in any order, most of them nothing that a person would write. */
export const anyMarkdown = fc
  .array(
    fc.constantFrom(
      ...'*_`$[]()!<>|\\-+#~&:;"'.split(''),
      ...['\n', '\n\n', '  ', '    ', '\t', '\r\n', 'a', 'b1', 'word ', ' two', '1. ', '- ', '> '],
      ...['```', '**', '$$\n', '$x$', '|-|', '| a | b |\n|-|-|\n', '&amp;', '事', '。', '😀'],
      ...['https://a.b', '[x](http://a.b)', `![x](image:${HASH})`],
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));
