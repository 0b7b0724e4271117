import { PSEUDO } from '@invigil/core/texts/languages';
import type { Page } from '@playwright/test';
import { expect, test } from './support/e2e-test.ts';
import { inLanguages, languageProblems } from './support/in-languages.ts';
import { sidewaysScrolls } from './support/screen-checks.ts';
import { spilledTexts } from './support/spilled-texts.ts';

const LONG = 'ÅÉÎ'.repeat(40);
const LINE = { width: '40px', whiteSpace: 'nowrap' };
const PLACE = { position: 'absolute', insetBlockStart: '0', insetInlineStart: '0' };

/** Adds texts to a page; returns what takes them away again. */
async function plant(
  page: Page,
  ...texts: { text: string; style?: Record<string, string>; attributes?: Record<string, string> }[]
) {
  const planted = await page.evaluateHandle((all) => {
    const elements = all.map(({ text, style = {}, attributes = {} }) => {
      const element = document.createElement('p');
      element.textContent = text;
      Object.assign(element.style, style);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      return element;
    });
    document.body.append(...elements);
    return elements;
  }, texts);
  return () =>
    planted.evaluate((elements) => {
      for (const element of elements) element.remove();
    });
}

test('words left in English, wrong directions, and texts that have no room are found on a screen', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByText('Forgot or lost your password?')).toBeVisible();
  const seen: string[] = [];
  await inLanguages(
    page,
    async (language) => {
      seen.push(language);
      const words = () => languageProblems(page, language);
      const nothing = { words: [], spilled: [], sideways: [] };
      const found = async () => ({
        words: await words(),
        spilled: await spilledTexts(page),
        sideways: await sidewaysScrolls(page),
      });
      expect(await found()).toEqual(nothing);
      for (const [planted, problems] of [
        [{ text: 'Forgotten word' }, ['Forgotten word']],
        [{ text: '', attributes: { 'aria-label': 'Forgotten name' } }, ['Forgotten name']],
        [{ text: 'Nobody says this', attributes: { role: 'alert' } }, ['Nobody says this']],
        [{ text: 'Invalid Captcha', attributes: { role: 'alert' } }, []],
        [{ text: 'Invalid Captcha' }, ['Invalid Captcha']],
      ] as const) {
        const takeAway = await plant(page, planted);
        expect(await words()).toEqual(problems);
        await takeAway();
      }
      const turn = (to: string) =>
        page.evaluate((dir) => {
          const { dir: before } = document.documentElement;
          document.documentElement.dir = dir;
          return before;
        }, to);
      const wrong = language.startsWith('ar') ? 'ltr' : 'rtl';
      const right = await turn(wrong);
      expect(await words()).toEqual([`is written ${wrong}`]);
      await turn(right);
      for (const [texts, problem] of [
        [[{ text: LONG, style: { ...LINE, overflow: 'hidden' } }], 'is cut off'],
        [[{ text: LONG, style: { ...LINE, background: 'red' } }], 'stands out of its box'],
        [['Å', 'É'].map((text) => ({ text, style: PLACE })), 'lies on “É”'],
      ] as const) {
        const takeAway = await plant(page, ...texts);
        expect((await spilledTexts(page)).join()).toContain(problem);
        await takeAway();
      }
      const takeAway = await plant(page, { text: LONG, style: { width: '3000px' } });
      expect(await sidewaysScrolls(page)).toHaveLength(1);
      await takeAway();
      expect(await found()).toEqual(nothing);
    },
    Object.values(PSEUDO),
  );
  expect(seen).toEqual(Object.values(PSEUDO));
});
