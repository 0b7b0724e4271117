import type { BrowserContext, Page } from '@playwright/test';
import { isPseudo, PSEUDO } from '../../core/src/texts/languages.ts';
import { isOfCatalogue } from './catalogue-sentences.ts';

/**
 * Languages in which every checked screen is shown besides English: those that nobody speaks, which show what is not
 * in the catalogues; INVIGIL_LANGUAGES=ar,de has others, for pictures.
 */
const LANGUAGES = process.env.INVIGIL_LANGUAGES?.split(',') ?? Object.values(PSEUDO);

/** Words that a browser was told by the server or sent to it, which are in no catalogue. */
const told = new WeakMap<BrowserContext, Set<string>>();

/** Keeps the words of everything that the pages of a browser read, so that they can be told from ours. */
export function keepData(context: BrowserContext): void {
  const words = new Set<string>();
  told.set(context, words);
  context.on('response', async (response) => {
    if (!/\/api\//.test(response.url())) return;
    addWords(words, decodeURIComponent(response.url()));
    addWords(words, response.request().postData() ?? '');
    // The values alone: names of fields are words that our texts may have.
    const body: unknown = await response.json().catch(() => null);
    addValues(words, body);
  });
}

/** The same for a file that a page reads itself. */
export function keepFile(page: Page, text: string): void {
  addWords(told.get(page.context()) ?? new Set(), text);
}

function addValues(words: Set<string>, value: unknown): void {
  if (typeof value === 'string') addWords(words, value);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) addValues(words, inner);
  }
}

const addWords = (words: Set<string>, text: string) => {
  for (const [word] of text.matchAll(LATIN)) words.add(word);
};

/** Three letters at least: units, keys and letters of options are Latin everywhere. */
const LATIN = /[A-Za-z]{3,}/g;

/** Names that stay, and words of the page's own data in tests. */
const NAMES = new Set([
  ...['Invigil', 'English', 'Deutsch', 'Fran', 'ais', 'Espa', 'Portugu', 'Brasil', 'rk', 'CSV'],
  ...['Moodle', 'XML', 'GIFT', 'Aiken', 'QTI', 'Excel', 'Markdown', 'LaTeX', 'TeX', 'PDF', 'XLSX'],
  ...['Canvas', 'Outlook', 'Gmail', 'Mac', 'iPhone', 'iPad', 'MiB', 'API', 'SMTP', 'PostgreSQL'],
  ...['JSON', 'OpenSSL'],
  ...['PNG', 'JPEG', 'WebP', 'SVG'],
  ...['Europe', 'Berlin', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct'],
  ...['Nov', 'Dec', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun', 'UTF', 'GMT', 'Windows'],
  ...['June', 'November', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  ...['Sunday', 'and', 'min', 'ago'],
  ...[
    'Ctrl',
    'Enter',
    'Shift',
    'Alt',
    'Esc',
    'Tab',
    'Backspace',
    'Home',
    'End',
    'Delete',
    'UTC',
    'CET',
    'CEST',
    'XXXXX',
  ],
]);

/**
 * Shows an English page in each of the languages, as its menu would, and in English again at the end: nothing on it
 * begins anew. A page in another language is left as it is.
 */
export async function inLanguages(
  page: Page,
  look: (language: string) => Promise<void>,
  languages: readonly string[] = LANGUAGES,
): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.lang);
  if (before !== 'en') return;
  for (const language of languages) {
    await speak(page, language);
    // A bar that covers something at this place is no fault of the language. A menu closes when its page scrolls.
    const top = await page.evaluate(() => {
      const { scrollY } = window;
      if (document.querySelector('[role="menu"]') === null) window.scrollTo(0, 0);
      return scrollY;
    });
    await look(language);
    await page.evaluate((y) => window.scrollTo(0, y), top);
  }
  await speak(page, before);
}

/** Calls what the menu of languages calls: a page of the build exports it to the menu's own file. */
const speak = (page: Page, language: string): Promise<void> =>
  page.evaluate(async (tag) => {
    const main = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '';
    const exported = Object.values((await import(main)) as Record<string, unknown>);
    const choose = exported.find((one) => /SameSite=Lax/.test(String(one)));
    if (typeof choose !== 'function') throw new Error('no choice of a language in the page');
    await choose(tag);
    await new Promise(requestAnimationFrame);
  }, language);

/**
 * Finds a wrong direction, and words that stayed in English. What is announced, and a problem of a form, stay in the
 * language in which they were made: those are to be sentences of the catalogues.
 */
export async function languageProblems(page: Page, language: string): Promise<string[]> {
  const { dir, texts, kept } = await page.evaluate(() => {
    // Data of the reader and codes.
    const OTHERS =
      '[translate="no"]:not(html), .code:not(input), [lang="en"], script, style, code, math, textarea';
    const KEPT =
      '[data-toaster], [role="alert"], [role="status"]:is(p, span), [aria-live]:is(p, span), .text-bad-ink';
    const NAMES = ['aria-label', 'title', 'placeholder', 'alt'];
    const texts: string[] = [];
    const kept: string[] = [];
    const add = (element: Element, text: string | null) => {
      if (text === null || text.trim() === '' || element.closest(OTHERS)) return;
      (element.closest(KEPT) ? kept : texts).push(text);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      if (parentElement?.checkVisibility()) add(parentElement, textContent);
    }
    for (const element of document.querySelectorAll(NAMES.map((name) => `[${name}]`).join())) {
      for (const name of NAMES) add(element, element.getAttribute(name));
    }
    return { dir: getComputedStyle(document.documentElement).direction, texts, kept };
  });
  // A page with nothing to read would always be right.
  if (texts.length === 0) return ['shows no text'];
  const wanted = /^ar/.test(language) ? 'rtl' : 'ltr';
  const words = told.get(page.context()) ?? new Set();
  const hasNoEnglish = (text: string) =>
    [...text.replaceAll(/\S+@\S+|\b[0-9a-f]{8}\b|\bbase64url\b/g, '').matchAll(LATIN)].every(
      ([word]) => words.has(word) || NAMES.has(word),
    );
  const hasOtherLetters = isPseudo(language) || /^(ar|zh)/.test(language);
  const english = hasOtherLetters
    ? [
        ...texts.filter((text) => !hasNoEnglish(text)),
        ...kept.filter((text) => !hasNoEnglish(text) && !isOfCatalogue(text, hasNoEnglish)),
      ]
    : [];
  return [...(dir === wanted ? [] : [`is written ${dir}`]), ...new Set(english)];
}
