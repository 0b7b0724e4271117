import { readAll } from '@invigil/testkit/running-server';
import { describe, expect, it } from 'vitest';
import { readQti } from '../read-qti.ts';

const item = (
  body: string,
  rules = '',
  outcomes = '',
) => `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="i" title="t">
  <responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>b</value></correctResponse>
  <mapping><mapEntry mapKey="b" mappedValue="2"/></mapping></responseDeclaration>
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>${outcomes}
  <itemBody>${body}</itemBody>
  ${rules || '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p2/rptemplates/match_correct"/>'}</assessmentItem>`;
const LIST = `<inlineChoiceInteraction responseIdentifier="R" shuffle="true">
  <inlineChoice identifier="a">iron</inlineChoice><inlineChoice identifier="b">copper</inlineChoice><inlineChoice identifier="c" fixed="true">neither</inlineChoice></inlineChoiceInteraction>`;

async function readOne(xml: string) {
  const bytes = new TextEncoder().encode(xml);
  const { items } = await readAll(readQti, { name: 'item.xml', bytes });
  return items[0];
}

describe('a list inside of a sentence', () => {
  it('becomes options below a blank', async () => {
    const read = await readOne(item(`<p>Cables are made of ${LIST} as a rule.</p>`));
    expect(read?.definition).toMatchObject({
      type: 'multiple_choice',
      question: 'Cables are made of ______ as a rule.',
      options: [
        { text: 'iron', isCorrect: false },
        { text: 'copper', isCorrect: true },
        { text: 'neither', isCorrect: false, isLast: true },
      ],
      points: 1,
      rule: 'all_or_nothing',
    });
    expect(read?.notes).toEqual([]);
  });

  it('needs no blank where it stands alone', async () => {
    const read = await readOne(item(`<p>Cables?</p><p>${LIST}</p>`));
    expect(read?.definition?.question).toBe('Cables?');
  });

  it('has the points of a score for its own field', async () => {
    const float = (name: string) =>
      `<outcomeDeclaration identifier="${name}" cardinality="single" baseType="float"/>`;
    const rules = `<responseProcessing><responseCondition><responseIf><not><isNull><variable identifier="R"/></isNull></not>
      <setOutcomeValue identifier="SCORE_R"><mapResponse identifier="R"/></setOutcomeValue></responseIf></responseCondition>
      </responseProcessing>`;
    const read = await readOne(
      item(`<p>Cables? ${LIST}</p>`, rules, float('SCORE_R') + float('MAXSCORE_R')).replace(
        float('SCORE'),
        '',
      ),
    );
    expect(read?.definition).toMatchObject({ points: 2, rule: 'all_or_nothing' });
    expect(read?.notes).toEqual([]);
  });
});
