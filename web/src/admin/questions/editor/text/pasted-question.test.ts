import { markdownFromHtml, markdownFromPlain } from '@invigil/core/content/html/html-text';
import { describe, expect, test } from 'vitest';
import { questionIn } from './pasted-question.ts';

/** The question that is read, its options with `+` before the right ones, and how they are marked. */
function read(text: string, marked = text, isSource = false) {
  const found = questionIn(text, marked, isSource);
  if (found === null) return null;
  const options = found.options.map(({ text, isCorrect }) => (isCorrect ? `+ ${text}` : text));
  return [found.question, ...options, found.markedBy ?? ''];
}

const lines = (...all: string[]) => markdownFromPlain(all.join('\n'));

describe('reads a question with', () => {
  test.each<[string, string, string[]]>([
    ['letters', lines('Is it?', 'A) x', 'B) y', 'C) z'), ['Is it?', 'x', 'y', 'z', '']],
    ['points', lines('Is it?', '', 'a. x', '', 'b. y'), ['Is it?', 'x', 'y', '']],
    ['numbers', lines('4) Is it?', '1) x', '2) y'), ['Is it?', 'x', 'y', '']],
    ['Aiken', lines('Is it?', 'A. x', 'B. y', 'ANSWER: B'), ['Is it?', 'x', '+ y', 'line']],
    ['bullets', lines('Is it?', '• x', '• y'), ['Is it?', 'x', 'y', '']],
    ['boxes', lines('Is it?', '☐ x', '☒ y', '☑ z'), ['Is it?', 'x', '+ y', '+ z', 'sign']],
    ['brackets', lines('Is it?', '[ ] x', '[x] y'), ['Is it?', 'x', '+ y', 'sign']],
    ['stars', lines('Is it?', 'A) x', '*B) y'), ['Is it?', 'x', '+ y', 'sign']],
    ['a star at the end', lines('Is it?', 'A) x *', 'B) y'), ['Is it?', '+ x', 'y', 'sign']],
    ['a tick', lines('Is it?', 'A) ✓ x', 'B) y'), ['Is it?', '+ x', 'y', 'sign']],
    ['(correct)', lines('Is it?', 'A) x (correct)', 'B) y'), ['Is it?', '+ x', 'y', 'sign']],
    [
      'its text as answer',
      lines('Is it?', 'a) x', 'b) y', 'Answer: Y'),
      ['Is it?', 'x', '+ y', 'line'],
    ],
    [
      'two answers',
      lines('Is it?', 'a) x', 'b) y', 'c) z', 'Answers: a and c'),
      ['Is it?', '+ x', 'y', '+ z', 'line'],
    ],
    ['a list', '**Is** it $x$?\n\n- x\n- **y**\n- z', ['**Is** it $x$?', 'x', '+ y', 'z', 'look']],
    ['all bold', 'Is it?\n\n- **x**\n- **y**', ['Is it?', '**x**', '**y**', '']],
    ['bold labels', '**1.** Is it?\\\n**A)** x\\\n**B)** $y$', ['Is it?', 'x', '$y$', '']],
    [
      'lines that go on',
      lines('Is', 'it?', 'A) x', 'more', 'B) y'),
      ['Is\\\nit?', 'x\\\nmore', 'y', ''],
    ],
    [
      'a list in its text',
      'Of?\n\n- x\n- y\n\nwhich\n\nA) 1\\\nB) 2',
      ['Of?\n\n- x\n- y\n\nwhich', '1', '2', ''],
    ],
    ['a table', '| a |\n| - |\n| b |\n\n1. x\n2. y', ['| a |\n| - |\n| b |', 'x', 'y', '']],
    ['a list around it', '3. Is it?\n   1. x\n   2. y', ['Is it?', 'x', 'y', '']],
  ])('%s', (_, text, wanted) => expect(read(text)).toEqual(wanted));

  test('a colored answer, whose color goes', () => {
    expect(read('Is it?\n\n- x\n- y', 'Is it?\n\n- x\n- **y**')).toEqual([
      'Is it?',
      'x',
      '+ y',
      'look',
    ]);
  });
  test('the lines of a source', () => {
    expect(read('Is\n*it*?\nA) x\nB) y', undefined, true)).toEqual(['Is *it*?', 'x', 'y', '']);
  });
  test('its number, which goes and is told', () => {
    expect(questionIn(lines('Question 3: Is it?', 'A) x', 'B) y'), '', false)?.number).toBe(
      'Question 3:',
    );
  });
});

describe('leaves in the text', () => {
  test.each([
    ['no answers', lines('Is it?', 'Yes.')],
    ['one answer', lines('Is it?', 'A) x')],
    ['answers alone', lines('A) x', 'B) y')],
    ['a list alone', '- x\n- y'],
    ['letters out of order', lines('Is it?', 'A) x', 'C) y')],
    ['a line behind', lines('Is it?', 'A) x', 'B) y', 'more')],
    ['an answer that is not there', lines('Is it?', 'A) x', 'B) y', 'Answer: C')],
    ['marks that disagree', 'Is it?\n\n- x\n- **y**\n\nAnswer: A'],
    ['an empty answer', lines('Is it?', 'A) ', 'B) y')],
    ['two questions', lines('Is it?', 'A) x', 'B) y', '', 'And?', 'A) x', 'B) y')],
    [
      'two questions with keys',
      lines('I?', '1) x', '2) y', 'Answer: 1', 'O?', '1) x', '2) y', 'Answer: 2'),
    ],
    ['two questions with lists', 'Is it?\n\n- x\n- y\n\nAnd?\n\n- x\n- y'],
    ['a list in an answer', 'Is it?\n\n- x\n  - y\n- z'],
    ['27 answers', `Is it?\n\n${'- x\n'.repeat(27)}`],
  ])('%s', (_, text) => expect(read(text)).toBeNull());
});

/*
 * Questions that were written in LibreOffice and copied as its HTML filter writes them, and that were copied from
 * web pages in Chromium, as the paste event has them; without what says nothing (creation dates, borders of cells).
 */
const LIBREOFFICE =
  '<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/><style type="text/css">p { line-height: 115%; margin-bottom: 0.1in; background: transparent }</style></head>';

describe('reads what programs have written', () => {
  test.each<[string, string, string[]]>([
    [
      'LibreOffice: a number, a table, a bold answer',
      LIBREOFFICE +
        `<body lang="en-US" link="#000080" vlink="#800000" dir="ltr"><p><b>3.</b> A ball falls from <i>h</i> = 20 m. How <b>long</b> does it fall?</p> <table width="62" cellpadding="2" cellspacing="1"> <col width="18"/> <col width="31"/> <tr> <td width="18"><p> h</p> </td> <td width="31"><p> t</p> </td> </tr> <tr> <td width="18"><p> 20</p> </td> <td width="31"><p> 2.02</p> </td> </tr> </table> <ol type="a"> <li><p style="margin-bottom: 0in">1 s</p> <li><p style="margin-bottom: 0in"><b>2 s</b></p> <li><p>3 s</p> </ol></body>`,
      [
        'A ball falls from *h* = 20 m. How **long** does it fall?\n\n| | |\n| - | - |\n| h | t |\n| 20 | 2.02 |',
        '1 s',
        '+ 2 s',
        '3 s',
        'look',
      ],
    ],
    [
      'LibreOffice: letters, colored answers',
      LIBREOFFICE +
        `<body lang="en-US" link="#000080" vlink="#800000" dir="ltr"><p>Which are <b>prime</b>?</p> <p>A) 4</p> <p>B) <font color="#c00000">5</font></p> <p>C) 6</p> <p>D) <font color="#c00000">7</font></p></body>`,
      ['Which are **prime**?', '4', '+ 5', '6', '+ 7', 'look'],
    ],
    [
      'LibreOffice: code, a highlighted answer and a line',
      LIBREOFFICE +
        `<body lang="en-US" link="#000080" vlink="#800000" dir="ltr"><p>What does it print?</p> <pre class="western">def f(h):
    return h</pre> <ul> <li><p style="margin-bottom: 0in">h</p> <li><p style="margin-bottom: 0in"><span style="background: #ffff00">None</span></p> <li><p>f</p> </ul> <p>Answer: B</p></body>`,
      ['What does it print?\n\n```\ndef f(h):\n    return h\n```', 'h', '+ None', 'f', 'line'],
    ],
    [
      'LibreOffice: a list in a list, an underlined answer',
      LIBREOFFICE +
        `<body lang="en-US" link="#000080" vlink="#800000" dir="ltr"> <ol start="4"><li><p>Which is the capital?</p> <ol type="a"> <li><p>Rome</p> <li><p><u>Paris</u></p> </ol> </ol></body>`,
      ['Which is the capital?', 'Rome', '+ Paris', 'look'],
    ],
    [
      'Chromium: answers by classes of the page',
      `<h3 style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">Question 3</h3><p style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">What is the<span> </span><strong>third</strong><span> </span>power of<span> </span><code style="background: rgb(238, 238, 238);">x</code>?</p><ol style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial; list-style-type: upper-alpha;"><li>x + 3</li><li class="r" style="color: green; font-weight: bold;">x · x · x</li><li>3x</li></ol>`,
      [
        '**Question 3**\n\nWhat is the **third** power of `x`?',
        'x + 3',
        '+ x · x · x',
        '3x',
        'look',
      ],
    ],
    [
      'Chromium: lines and a line with the answers',
      `<div style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">Which planets are<span> </span><em>inner</em><span> </span>ones?</div><div class="a" style="margin: 0px; color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">a) Mars</div><div class="a" style="margin: 0px; color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">b) Saturn</div><div class="a" style="margin: 0px; color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">c) Venus</div><p style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;"><b>Correct answers:</b><span> </span>a, c</p>`,
      ['Which planets are *inner* ones?', '+ Mars', 'Saturn', '+ Venus', 'line'],
    ],
    [
      'Chromium: buttons, a mark and a link',
      `<p style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;">Is<span> </span><a href="https://example.org/x">this</a><span> </span>a prime?</p><ul style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; font-weight: 400; white-space: normal; text-decoration-thickness: initial; text-decoration-style: initial; text-decoration-color: initial;"><li><label><input type="radio" name="x"><span> </span>4</label></li><li><label><input type="radio" name="x" checked=""><span> </span><mark>5</mark></label></li><li><a href="https://example.org/6">6</a></li></ul>`,
      [
        'Is [this](https://example.org/x) a prime?',
        '4',
        '+ 5',
        '[6](https://example.org/6)',
        'look',
      ],
    ],
  ])('%s', (_, html, wanted) => {
    const marked = markdownFromHtml(html, () => null, true);
    const { text, format } = markdownFromHtml(html, () => null);
    expect(read(format === 'plain' ? markdownFromPlain(text) : text, marked.text)).toEqual(wanted);
  });
});
