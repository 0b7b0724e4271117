import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { readAll } from '@invigil/testkit/running-server';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from './any/detect-format.ts';
import { writeQuestionFile } from './any/write-format.ts';

const itemsOf = async (name: string, bytes: Uint8Array) =>
  (await readAll(readQuestionFile, { name, bytes })).items;

const gift = (text: string) => itemsOf('a.gift', new TextEncoder().encode(text));
const moodle = (format: string, text: string) =>
  itemsOf(
    'a.xml',
    new TextEncoder().encode(
      `<quiz><question type="truefalse"><questiontext format="${format}"><text><![CDATA[${text}]]></text></questiontext>
      <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question></quiz>`,
    ),
  );

const CODE = 'for i in x:\n    print(i)\n\n    # end';
const FENCED = `\`\`\`\n${CODE}\n\`\`\``;

describe('lines and their indentation', () => {
  it.each([
    ['html', `<p>What?</p><pre>\n${CODE}\n</pre>`, `What?\n\n${FENCED}`],
    ['html', 'Roses<br>\n  are<br/>red', 'Roses\nare\nred'],
    ['moodle', `What?\n<pre>${CODE}</pre>`, `What?\n\n${FENCED}`],
    ['moodle', 'Roses\n    are red\n\n  violets', 'Roses\n    are red\n\n  violets', true],
    ['moodle', 'Roses<br>\n  are', 'Roses\n  are'],
    ['moodle', '<b>Roses</b>\n  are', '**Roses**\\\n\u00a0\u00a0are'],
    ['plain', `${CODE}`, CODE, true],
    ['markdown', `What?\n\n${FENCED}`, `What?\n\n${FENCED}`, true],
    ['markdown', 'Roses<br>\nare\\\nred', 'Roses\\\nare\\\nred'],
    ['markdown', `What?\n\n<pre>\n${CODE}\n</pre>`, `What?\n\n${FENCED}`, true],
    ['markdown', 'Not `<br>` nor\n\n```\n<br>\n```', 'Not `<br>` nor\n\n```\n<br>\n```', true],
  ])(
    'are those of the file in the format %s: %j',
    async (format, text, wanted, isCutInGift = false) => {
      const names: Record<string, string> = { moodle: 'moodle_auto_format', plain: 'plain_text' };
      const [xml] = await moodle(names[format] ?? format, text);
      expect(xml?.definition?.question).toBe(wanted);
      const [written] = await gift(`::T::[${format}]${text.replace(/[{}~=#:]/g, '\\$&')}{T}`);
      // A blank line outside of code ends a question of GIFT.
      if (isCutInGift) expect(written?.definition).toBeNull();
      else expect(written?.definition?.question).toBe(wanted);
    },
  );

  it('keeps those of options and of a text without a format', async () => {
    const [item] = await gift('Roses\n  are{\n=red\n  blue\n~[plain]a\n  b\n}');
    expect(item?.definition).toMatchObject({
      question: 'Roses\n  are',
      options: [{ text: 'red\n  blue' }, { text: 'a\n  b' }],
    });
  });

  it.each([
    ['```c', '```'],
    ['\\~\\~\\~', '\\~\\~\\~'],
    ['<pre>', '</pre>'],
  ])(
    'does not end a question of GIFT at a blank line or comment between %s and %s',
    async (a, b) => {
      const code = 'int i;\n\n// two\nint j;';
      const format = a.startsWith('<') ? 'html' : 'markdown';
      const items = await gift(
        `::A::[${format}]What is it?\n${a}\n${code}\n${b}\n{T}\n\n::B::Next{F}`,
      );
      expect(items.map(({ title }) => title)).toEqual(['A', 'B']);
      expect(items[0]?.definition?.question).toContain(`\n${code}\n`);
      expect(items[1]?.source.line).toBe(10);
    },
  );

  it('takes code without an end for text, and keeps the questions behind it', async () => {
    const items = await gift('::A::[markdown]What?\n```\n{T}\n\n::B::Next{F}\n\nLast{T}');
    expect(items.map(({ definition }) => definition?.question)).toEqual([
      'What?\n\n```\n```',
      'Next',
      'Last',
    ]);
  });

  it.each([
    ['moodle_xml', 'plain', 'Roses\n    are  red\n\n\n  violets'],
    ['gift', 'plain', 'Roses\n    are  red\n\n\n  violets'],
    ['qti_3', 'plain', 'Roses\n    are  red\n\n\n  violets'],
    ['moodle_xml', 'markdown', `What?\n\n${FENCED}`],
    ['gift', 'markdown', `What?\n\n${FENCED}`],
    ['qti_3', 'markdown', `What?\n\n${FENCED}`],
    ['gift', 'markdown', '**Roses**\\\n\u00a0\u00a0are'],
    ['qti_3', 'markdown', '**Roses**\\\n\u00a0\u00a0are'],
  ] as const)('come back from our own %s: %s %j', async (file, format, question) => {
    const definition: QuestionDefinition = {
      type: 'true_false',
      format,
      question,
      options: ['True', 'False'].map((text, i) => ({ text, isCorrect: i === 0 })),
      points: 1,
      rule: 'all_or_nothing',
    };
    const bytes = writeQuestionFile(file, [{ definition, tags: [], categoryPath: [] }], () => null);
    const names = { moodle_xml: 'a.xml', gift: 'a.gift', qti_3: 'a.zip' };
    const items = await itemsOf(names[file], bytes);
    expect(items.map((item) => [item.definition, item.notes])).toEqual([[definition, []]]);
  });
});
