import { expect, it } from 'vitest';
import { readQuestionFile } from './any/detect-format.ts';

const html = (content: string) => `<?xml version="1.0"?><quiz><question type="truefalse">
<name><text>N</text></name><questiontext format="html"><text><![CDATA[${content}]]></text></questiontext>
<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>
</question></quiz>`;

it.each([
  ['spaces in GIFT', 'a.gift', `::N::[html]A ${' '.repeat(100_000)}b {T}`],
  [
    'tags without an end in GIFT',
    'a.gift',
    `::N::A {T}\n\n// ${'[tag:'.repeat(30_000)}\n::M::B {T}\n`,
  ],
  ['beginnings of code in GIFT', 'a.gift', `::N::A\n${'<pre>\n'.repeat(30_000)}{T}\n`],
  ['spaces in HTML', 'a.xml', html(`<p>A${'\u00a0'.repeat(100_000)}b</p>`)],
  ['spaces in a formula', 'a.xml', html(`<p>\\[a${' '.repeat(100_000)}b\\]</p>`)],
  ['question marks in an address', 'a.xml', html(`<img src="${'?'.repeat(200_000)}\n">`)],
  ['elements without an end', 'a.xml', html('<img '.repeat(30_000))],
])('a file with many %s is read in time linear to its length', async (_, name, text) => {
  const cpu = process.cpuUsage();
  const ignore = () => undefined;
  await readQuestionFile({ name, bytes: Buffer.from(text) }, { item: ignore, image: ignore });
  const { user } = process.cpuUsage(cpu);
  // Microseconds of the processor; before, up to half a minute.
  expect(user).toBeLessThan(4_000_000);
});
