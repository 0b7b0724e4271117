import type { EndpointName } from '@invigil/core/contract/endpoints';
import { headersOf, pathOf, requestOf } from './requests.ts';

/** The most emphasis that a text may have: what takes its parser longest. */
const SLOW_TEXT = `${'*a_ '.repeat(125)}\n\n`.repeat(64).slice(0, 32_000);

/** The most text that an image may have, in the fonts that take longest. */
const SLOW_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600">${`<text y="20">${'W'.repeat(2_000)}</text>`.repeat(10)}</svg>`;

/** A text that ten thousand questions of a file have, which makes them hard to tell apart. */
const EQUAL = Array.from({ length: 10_000 }, (_, i) => `Equal,a ${i},b,c,d,b`).join('\n');

/** A formula that would grow without end, a slow text and a slow image, as Moodle exports them. */
const MOODLE = `<?xml version="1.0"?><quiz>${`<question type="truefalse"><name><text>N</text></name>
<questiontext format="markdown"><text><![CDATA[$$\\def\\a{\\a\\a}\\a$$ ${SLOW_TEXT} ![](@@PLUGINFILE@@/a.svg)]]></text>
<file name="a.svg" path="/" encoding="base64">${Buffer.from(SLOW_SVG).toString('base64')}</file></questiontext>
<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>
</question>`.repeat(20)}</quiz>`;

/**
 * The most costly content that an author can send, by mistake or not: texts, images and question files.
 * Each is a whole request.
 */
export function hostileFiles(port: number, cookie: string): [string, string][] {
  const post = (name: EndpointName, body: string, type?: string, query = '') =>
    requestOf('POST', `${pathOf(name)}${query}`, headersOf(port, cookie), body, type).toString(
      'latin1',
    );
  const right = { text: 'a', isCorrect: true };
  const wrong = { text: SLOW_TEXT.slice(0, 1_000), isCorrect: false };
  const definition = {
    type: 'multiple_choice',
    format: 'markdown',
    question: SLOW_TEXT,
    options: [right, wrong],
    points: 1,
    rule: 'all_or_nothing',
    explanation: SLOW_TEXT,
  };
  const order = (name: string) => `${JSON.stringify({ name })}\n`;
  const file = 'application/octet-stream';
  return [
    ['texts of 64,000 characters', post('addToBank', JSON.stringify({ definition }))],
    ['images with 20,000 characters', post('uploadImage', SLOW_SVG, 'image/svg+xml')],
    ['files of 10,000 equal texts', post('importFile', `${order('a.csv')}${EQUAL}`, file)],
    ['Moodle files with all of it', post('importFile', `${order('a.xml')}${MOODLE}`, file)],
  ];
}
