import { readAll } from '@invigil/testkit/running-server';
import { describe, expect, it } from 'vitest';
import { readMoodleXml } from './read-moodle-xml.ts';

async function one(text: string) {
  const xml = `<quiz><question type="cloze"><name><text>N</text></name><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext></question></quiz>`;
  const bytes = new TextEncoder().encode(xml);
  const { items } = await readAll(readMoodleXml, { name: 'a.xml', bytes });
  return items[0];
}

describe('embedded answers with one gap', () => {
  it('are a choice', async () => {
    const item = await one(
      '<p>Cables are made of {2:MULTICHOICE_S:iron#no~=copper \\~ tin~%50%a = b} as a rule.</p>',
    );
    expect(item?.definition).toMatchObject({
      type: 'multiple_choice',
      question: 'Cables are made of _____ as a rule.',
      options: [
        { text: 'iron', weight: 0 },
        { text: 'copper ~ tin', weight: 100 },
        { text: 'a = b', weight: 50 },
      ],
      points: 2,
      rule: 'weights',
    });
    expect(item?.notes).toEqual([
      'The gap in the text became _____.',
      'Feedback for single answers was left out.',
    ]);
  });

  it('keep their order where they are not shuffled', async () => {
    const item = await one('{:MC:~=yes~no}');
    expect(item?.definition?.options).toEqual([
      { text: 'yes', isCorrect: true, isLast: true },
      { text: 'no', isCorrect: false, isLast: true },
    ]);
  });

  it('are several choices', async () => {
    const item = await one('Which? {1:MR:%50%a~%50%b~c}');
    expect(item?.definition).toMatchObject({
      type: 'multiple_response',
      options: [{ weight: 50 }, { weight: 50 }, { weight: 0 }],
    });
  });

  it('are a text, in which case may count', async () => {
    const item = await one('The capital is {1:SAC:=Rome~%50%Roma~*#no}.');
    expect(item?.definition).toMatchObject({
      type: 'short_text',
      question: 'The capital is _____.',
      shortText: {
        accepted: [
          { text: 'Rome', weight: 100 },
          { text: 'Roma', weight: 50 },
        ],
        isCaseSensitive: true,
      },
    });
  });

  it('are a number', async () => {
    const item = await one('How much? {3:NUMERICAL:=2.5:0.5~*#wrong}');
    expect(item?.definition).toMatchObject({
      type: 'numeric',
      numeric: { accepted: [{ min: '2', max: '3' }] },
      points: 3,
    });
  });

  it.each([
    ['several gaps', 'a {1:SA:=b} c {1:SA:=d}', 'only supported with one gap'],
    ['a gap of another kind', 'a {1:DRAG:=b}', 'one gap'],
    ['very many answers', `a {1:MC:${'~b'.repeat(200)}}`, 'one gap'],
    ['a gap without its end', 'a {1:SA:=b', 'one gap'],
    ['a wildcard that earns something', 'a {1:SA:=b*}', 'wildcard'],
    ['no number', 'a {1:NM:=x}', 'is not a number'],
  ])('are refused with %s', async (_, text, reason) => {
    const item = await one(text);
    expect(item?.definition).toBeNull();
    expect(item?.notes.join()).toContain(reason);
  });
});
