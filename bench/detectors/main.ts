import { conclude, print, printRows } from '../benchmark.ts';
import { launchChromium } from '../chromium.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { classifyConditions } from './conditions.ts';
import { measureCost } from './cost.ts';
import { classifyPictures } from './pictures.ts';
import { servePage } from './served-page.ts';
import { classifySounds } from './sounds.ts';

const mega = (bytes: number) => rounded(bytes / 1_000_000, 2);

await conclude('detectors', async () => {
  await using browser = await launchChromium(
    // Memory is measured after a garbage collection.
    '--js-flags=--expose-gc',
    '--autoplay-policy=no-user-gesture-required',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream=fps=30',
  );
  await using served = await servePage();
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] });

  const visit = async () => {
    const before = served.sent.length;
    const page = await context.newPage();
    await page.goto(served.url);
    const load = await page.evaluate(() => window.detectors.load());
    if (load.engine !== 'model') throw new Error('the model does not run here');
    const files = served.sent.slice(before).filter(({ path }) => path.startsWith('/assets/'));
    return { page, load, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
  // This page has a context of its own: a context with routes has no cache.
  const poor = await browser.newContext();
  await poor.route('**/*.wasm', (route) => route.abort());
  const refused = await poor.newPage();
  await refused.goto(served.url);
  const { engine: fallback } = await refused.evaluate(() => window.detectors.load());
  await poor.close();

  const first = await visit();
  await first.page.close();
  const second = await visit();
  const { page } = second;

  const { groups, adequate, wrongNumber } = await classifyPictures(page);
  print('Pictures, by variation, skin tone and light:\n');
  printRows([...groups, adequate]);
  const hard = await classifyConditions(page);
  print('\nHard conditions, and scenarios of 20 to 30 checks:\n');
  printRows(hard.conditions);
  printRows(hard.films);
  const sounds = await classifySounds(page);
  print('\nSounds:\n');
  printRows(sounds.rows);
  const cost = await measureCost(browser, page);
  return {
    figures: [
      { name: 'faces missed in adequate light', value: adequate.missed, most: 0 },
      { name: "the same, specification's rule", value: adequate['specification: missed'] },
      { name: 'empty scenes taken for a face', value: adequate['face in an empty scene'], most: 0 },
      {
        name: "the same, specification's rule",
        value: adequate['specification: face in an empty scene'],
      },
      { name: 'pictures of faces counted wrongly', value: wrongNumber, most: 0 },
      { name: 'violations counted in honest scenarios', value: hard.counted, most: 0 },
      { name: 'least share of flagged runs with pictures alone', value: hard.flagged, least: 0.9 },
      { name: 'sounds of speech missed', value: sounds.missed, most: 0 },
      { name: 'other sounds taken for voice', value: sounds.takenForVoice, most: 0 },
      { name: "specification's rule: speech missed", value: sounds.specificationMissed },
      { name: "specification's rule: taken for voice", value: sounds.specificationTaken },
      {
        name: 'core while monitoring, 1 check a second and sound',
        value: rounded(cost.cores, 3),
        most: 0.35,
      },
      {
        name: 'memory, last quarter of ten minutes of monitoring ÷ first',
        value: cost.monitoringGrowth,
        most: 1.2,
      },
      { name: 'memory after 1,000 checks ÷ before', value: cost.growth, most: 1.05 },
      { name: 'memory of the page after them, MB', value: mega(cost.memory) },
      { name: 'one check, median, ms', value: rounded(cost.msMedian) },
      { name: 'one check, 95th percentile, ms', value: rounded(cost.ms95) },
      { name: 'first visit, MB', value: mega(first.bytes), most: 7.5 },
      { name: 'second visit, MB', value: mega(second.bytes) },
      {
        name: 'basic detector where WebAssembly is unavailable',
        value: Number(fallback === 'basic'),
        least: 1,
      },
      { name: 'until both engines are ready, first visit, ms', value: rounded(first.load.ms) },
      { name: 'until both engines are ready, second visit, ms', value: rounded(second.load.ms) },
    ],
    machine: { ...describeMachine(), versions: { Chromium: browser.version() } },
  };
});
