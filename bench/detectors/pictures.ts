import type { Page } from '@playwright/test';
import { sized } from '../benchmark.ts';
import { media, mediaNames } from './media.ts';
import type { PictureResult, Variation } from './page/api.ts';

/**
 * Light is a factor on every channel; below 0.6 it is not adequate, and the darkest are a room with the
 * lamp off.
 */
const PLAIN: Variation = { name: 'as it is', light: 1, scale: 1, shift: 0, noise: 0, specks: 0 };
/** Noise in which the model detects one head twice. */
const SPECKS = 'about 400 specks';
const VARIATIONS: readonly Variation[] = [
  PLAIN,
  { ...PLAIN, name: 'light × 1.4', light: 1.4 },
  { ...PLAIN, name: 'light × 0.6', light: 0.6 },
  { ...PLAIN, name: 'moved by 60 px', shift: 60 },
  { ...PLAIN, name: 'at 0.6 of the size', scale: 0.6 },
  { ...PLAIN, name: 'noise of 20', noise: 20 },
  ...[390, 395, 400, 405, 410].map((specks) => ({ ...PLAIN, name: SPECKS, specks })),
  { ...PLAIN, name: 'light × 0.35, noise of 8', light: 0.35, noise: 8 },
  { ...PLAIN, name: 'light × 0.14', light: 0.14 },
];
const ADEQUATE_LIGHT = 0.6;

/** Three groups, assigned by eye; ten people are too few to prove equality. */
const TONES: Record<string, string> = {
  collins: 'lighter',
  lindgren: 'lighter',
  ride: 'lighter',
  chawla: 'medium',
  ochoa: 'medium',
  bluford: 'darker',
  epps: 'darker',
  gregory: 'darker',
  jemison: 'darker',
};

interface Classified extends PictureResult {
  variation: Variation;
  /** Number of people, by the file name. */
  people: number;
  tone: string;
  /** The original picture is underexposed. */
  dim: boolean;
}

/** Runs the shipped detector and the specification's rule on every picture in every variation. */
export async function classifyPictures(page: Page) {
  const results: Classified[] = [];
  // Drawn faces are left out: there is no correct answer.
  for (const name of mediaNames('.jpg').filter((one) => !one.startsWith('picture-'))) {
    const people = name.startsWith('none-') ? 0 : name.startsWith('two-') ? 2 : 1;
    const person = Object.keys(TONES).find((one) => name.includes(one));
    for (const variation of sized(VARIATIONS, [PLAIN])) {
      const result = await page.evaluate(([jpeg, change]) => window.detectors.check(jpeg, change), [
        media(name),
        variation,
      ] as const);
      const tone = people === 1 ? (TONES[person ?? ''] ?? 'unknown') : 'several or none';
      results.push({ ...result, variation, people, tone, dim: /^(dim|none-black)/.test(name) });
    }
  }
  const inAdequateLight = results.filter(
    ({ variation, dim }) => variation.light >= ADEQUATE_LIGHT && variation.specks === 0 && !dim,
  );
  const variations = [...new Set(VARIATIONS.map(({ name }) => name))];
  const groups = [
    ...variations.map((name) =>
      count(
        name,
        results.filter((j) => j.variation.name === name),
      ),
    ),
    ...['lighter', 'medium', 'darker'].map((tone) =>
      count(
        `${tone} skin, adequate light`,
        inAdequateLight.filter((j) => j.tone === tone),
      ),
    ),
    ...['lighter', 'medium', 'darker'].map((tone) => {
      const dark = results.filter((j) => j.tone === tone && j.variation.light < ADEQUATE_LIGHT);
      return count(`${tone} skin, poor light`, dark);
    }),
  ];
  return {
    groups,
    adequate: count('all in adequate light', inAdequateLight),
    /** Pictures with a wrong number of detected faces, in any light and noise. */
    wrongNumber: count('all', results)['wrong number'],
  };
}

function count(name: string, results: Classified[]) {
  const people = results.filter((j) => j.people > 0);
  const empty = results.filter((j) => j.people === 0);
  const says = (of: Classified[], verdict: string) =>
    of.filter(({ report }) => report.verdict === verdict).length;
  const seen = people.filter(({ report }) => report.verdict === 'yes');
  return {
    pictures: name,
    'with people': people.length,
    empty: empty.length,
    missed: says(people, 'no'),
    'cannot tell': says(results, 'cannot-tell'),
    'face in an empty scene': says(empty, 'yes'),
    'wrong number': seen.filter((j) => j.report.faces !== j.people).length,
    'specification: missed': people.filter((j) => !j.specification).length,
    'specification: face in an empty scene': empty.filter((j) => j.specification).length,
  };
}
