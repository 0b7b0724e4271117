import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const marked = (question: string, ...options: string[]): QuestionDefinition => ({
  ...plainDefinition(question, options.length > 0 ? options : ['a', 'b'], options[0] ?? 'a'),
  format: 'markdown',
});
const typed = (part: Partial<QuestionDefinition>): QuestionDefinition => ({
  ...plainDefinition('How much?', [], ''),
  type: 'numeric',
  ...part,
});

/** Questions as authors write them, not in the spelling of an export. */
const QUESTIONS: [string, QuestionDefinition][] = [
  ['an escaped angle bracket', marked('Is **\\<x>** a tag?')],
  ['an angle bracket', marked('Is **<x>** a tag?')],
  ['an & in a link', marked('See [this](https://e.org/?a=1&b=2).')],
  ['an entity in a link', marked('See [this](https://e.org/?a=1&amp;b=2).')],
  ['a bare link', marked('See **https://e.org/?a=1&b=2** now.')],
  ['other signs of emphasis', marked('A _slanted_ and __strong__ word')],
  ['other bullets', marked('Which?\n\n* a\n* b')],
  ['a paragraph of two lines', marked('One *line*\nand another')],
  ['escaped signs', marked('2 \\* 3 \\_ 4 and **x**')],
  ['entities', marked('a &lt; b &amp; **c**')],
  ['such options', marked('Which?', '\\<x>', '**<y>**', '_z_')],
  ['Markdown without marks', marked('Which \\<x>?')],
  ['a formula', marked('$x^2 < 1$ and $a_1$')],
  ['a numbered list', marked('Which?\n\n1) a\n1) b')],
  ['a trailing zero', typed({ numeric: { accepted: [{ value: '70.0' }] } })],
  ['a plus sign', typed({ numeric: { accepted: [{ value: '+7' }] } })],
  ['a power', typed({ numeric: { accepted: [{ value: '7e2' }] } })],
  ['a range with zeros', typed({ numeric: { accepted: [{ min: '1.0', max: '02.50' }] } })],
  [
    'a tolerance of nothing',
    typed({ numeric: { accepted: [{ value: '70', tolerancePercent: '0' }] } }),
  ],
  [
    'a factor with zeros',
    typed({
      numeric: {
        accepted: [{ value: '7' }],
        units: [
          { unit: 'm', factor: '1.0' },
          { unit: 'km', factor: '1e3' },
        ],
      },
    }),
  ],
  [
    'texts that are compared as equal',
    typed({
      type: 'short_text',
      shortText: { accepted: [{ text: 'it’s' }, { text: "it's" }, { text: 'It’s' }] },
    }),
  ],
];

describe('a question in a file of our own', () => {
  const app = setUpAppWithAdmin();
  beforeEach(() => app.pool.query('update questions set deleted_at = now()'));

  it.each(['gift', 'moodle_xml', 'qti_3'] as const)('is no second copy: %s', async (format) => {
    const held = QUESTIONS.filter(
      ([, { numeric }]) => numeric?.units === undefined || format === 'moodle_xml',
    );
    for (const [name, given] of held) {
      const definition = { ...given, question: `${name}: ${given.question}` };
      const added = await app.call('addToBank', { as: app.admin, body: { definition } });
      expect(added.status, name).toBe(201);
    }
    const file = await app.call('exportQuestions', { as: app.admin, query: { format } });
    const [, name = ''] =
      /filename="([^"]+)"/.exec(String(file.headers['content-disposition'])) ?? [];
    const reply = await app.call('importFile', {
      as: app.admin,
      body: Buffer.concat([Buffer.from(`{"name":"${name}"}\n`), file.bytes]),
      headers: { 'content-type': 'application/octet-stream' },
    });
    const { body } = await app.call('listBank', { as: app.admin, query: { limit: '100' } });
    const copies = body.slice(0, body.length - held.length);
    expect(copies.map((one: { definition: object }) => one.definition)).toEqual([]);
    expect(reply.body).toEqual({ added: 0, ids: [], duplicates: held.length, left: [] });
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'questions.exported' order by id desc limit 1",
    );
    expect(rows).toMatchObject([{ details: { format } }]);
  });

  it('is another one with other words, or another meaning of the same', async () => {
    await app.call('addToBank', {
      as: app.admin,
      body: { definition: marked('Is **\\<x>** a tag?') },
    });
    const take = (line: string) =>
      app.call('importFile', {
        as: app.admin,
        body: Buffer.from(`{"name":"q.gift"}\n[markdown]${line} {=a ~b}`),
        headers: { 'content-type': 'application/octet-stream' },
      });
    for (const [line, added] of [
      ['Is **<x>** a tag?', 0],
      ['Is *<x>* a tag?', 1],
      ['Is **<x>** the tag?', 1],
    ] as const) {
      expect((await take(line)).body, line).toMatchObject({ added, duplicates: 1 - added });
    }
  });
});
