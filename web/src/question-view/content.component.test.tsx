import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { show } from '../testing/shown.tsx';
import { ImageSource } from './content/image-source.ts';
import { preloadContent } from './content/load-content.ts';
import { loadFonts } from './content/mathematics.ts';
import { Content, type ContentProps } from './content.tsx';

const HASH = 'ab'.repeat(32);

function picture(width = 300): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = width / 2;
  return canvas.toDataURL();
}

/** Shows a Markdown text after everything that it needs was loaded. */
async function shown(text: string, props: Partial<ContentProps> = {}): Promise<HTMLElement> {
  const src = picture();
  await preloadContent([{ text, format: 'markdown' }], () => src);
  const { container } = await show(
    <ImageSource value={() => src}>
      <Content text={text} format="markdown" {...props} />
    </ImageSource>,
  );
  if (!(container instanceof HTMLElement)) throw new Error('no container');
  return container;
}

test('a plain text is the text, whatever it contains', async () => {
  const text = 'a *b* $c$\n<b>';
  const { container } = await show(<Content text={text} />);
  expect(container.textContent).toBe(text);
  expect(container.querySelector('b, em, [class]')).toBeNull();
});

test('a Markdown text that nothing was loaded for loads its renderer', async () => {
  const { container } = await show(<Content text="a *b*" format="markdown" />);
  expect(container.textContent).toMatch(/^a \*?b\*?$/);
  await expect.poll(() => container.querySelector('em')?.textContent).toBe('b');
});

describe('constructs', () => {
  test.each([
    ['# Title', 'p strong', 'Title'],
    ['*a*', 'em', 'a'],
    ['`a`', 'p code', 'a'],
    ['> a', 'blockquote p', 'a'],
    ['3. a', 'ol[start="3"] li', 'a'],
    ['- a', 'ul li', 'a'],
    ['| a |\n|--:|\n| b |', 'td.text-right', 'b'],
    ['| a |\n|---|\n| b |', 'th[scope=col]', 'a'],
    ['```js\nlet a;\n```', 'section[aria-label="Code, js"] code', 'let a;'],
    ['a  \nb', 'p:has(br)', 'ab'],
  ])('%j', async (text, selector, expected) => {
    const container = await shown(text);
    expect(container.querySelector(selector)?.textContent).toBe(expected);
  });

  test('HTML is text', async () => {
    const container = await shown('<b>a</b> <img src=x onerror=alert(1)>');
    expect(container.textContent).toBe('<b>a</b> <img src=x onerror=alert(1)>');
    expect(container.querySelector('b, img')).toBeNull();
  });
});

test('chemistry is drawn, also where formulas without it were loaded before', async () => {
  await shown('$x$');
  for (const text of ['$\\ce{H2SO4 + 2 H2O}$', '$\\pu{3 mol/L}$']) {
    const { container, unmount } = await show(<Content text={text} format="markdown" />);
    await expect.poll(() => container.querySelector('.katex')?.textContent).toBeTruthy();
    expect(container.textContent).not.toContain('cannot be displayed');
    await unmount();
  }
});

describe('what is wider than its place', () => {
  const row = (cell: (n: number) => string) =>
    `| ${Array.from({ length: 14 }, (_, n) => cell(n)).join(' | ')} |`;
  const table = [row((n) => `Column${n}`), row(() => '---'), row((n) => `${1000 + n}`)].join('\n');
  const formula = `$$${'x_{123456} + '.repeat(60)}y$$`;
  const code = `\`\`\`\n${'abc '.repeat(120)}\n\`\`\``;

  test.each([
    ['a table', table, 'Scrolls sideways: 14 columns'],
    ['a formula', formula, 'Scrolls sideways'],
    ['code', code, 'Scrolls sideways'],
  ])(
    '%s scrolls by itself and says so, with a shadow where there is more',
    async (_, text, words) => {
      await page.viewport(390, 844);
      const container = await shown(text);
      const sentence = page.getByText(words, { exact: true });
      await expect.element(sentence).toBeVisible();
      const box = container.querySelector('section');
      if (box === null) throw new Error('no box');
      expect([box.tabIndex, box.dataset.left, box.dataset.right]).toEqual([0, undefined, 'true']);
      expect(getComputedStyle(box).boxShadow).toContain('inset');
      box.scrollLeft = box.scrollWidth;
      await expect.poll(() => [box.dataset.left, box.dataset.right]).toEqual(['true', undefined]);
      // A content reaches four pixels into the padding of its place, which has none here.
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(394);
    },
  );

  test('keeps the first column of a table in view', async () => {
    await page.viewport(390, 844);
    const container = await shown(table);
    await expect.element(page.getByText(/^Scrolls sideways/)).toBeVisible();
    const [box, first] = [container.querySelector('section'), container.querySelector('td')];
    const left = first?.getBoundingClientRect().left;
    box?.scrollTo({ left: 300, behavior: 'instant' });
    expect(first?.getBoundingClientRect().left).toBe(left);
  });

  test('lets the first column go where it would cover the others', async () => {
    await page.viewport(390, 844);
    const container = await shown(
      `| Hash | End |\n| --- | --- |\n| ${'0123456789abcdef'.repeat(4)} | 2 |`,
    );
    await expect.element(page.getByText('Scrolls sideways: 2 columns')).toBeVisible();
    const box = container.querySelector('section');
    box?.scrollTo({ left: 9_999, behavior: 'instant' });
    const last = [...container.querySelectorAll('td')].at(-1);
    const { left, top, width, height } = last?.getBoundingClientRect() ?? new DOMRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    expect(seen).toBe(last);
  });

  test('a formula within a line scrolls where no line has room for a part of it', async () => {
    await page.viewport(390, 844);
    const text = `Is $x^{${'10'.repeat(60)}} + 1$ prime, or $y + 1$?`;
    const container = await shown(text);
    await expect.element(page.getByText('Scrolls sideways')).toBeVisible();
    const box = container.querySelector<HTMLElement>('.scroll-sides');
    expect([box?.tabIndex, box?.dataset.right]).toEqual([0, 'true']);
    expect(container.querySelectorAll('.scroll-sides')).toHaveLength(1);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(394);
    const inOption = await shown(text, { inline: true });
    expect(inOption.querySelectorAll('.scroll-sides')).toHaveLength(1);
  });

  test('says so in an option too, where nothing is reached by keyboard', async () => {
    await page.viewport(390, 844);
    const container = await shown(table, { inline: true });
    await expect.element(page.getByText('Scrolls sideways: 14 columns')).toBeVisible();
    expect(container.querySelector('[tabindex], section')).toBeNull();
    // Words of options break anywhere, those of a table do not: its columns would be one letter wide.
    const cell = container.querySelector('.table-cell');
    expect(cell && getComputedStyle(cell).overflowWrap).toBe('normal');
  });

  test('a formula goes on in the next line of a paper, which does not scroll', async () => {
    await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
    onTestFinished(async () => {
      await cdp().send('Emulation.setEmulatedMedia', { media: '' });
    });
    await page.viewport(390, 844);
    const container = await shown(formula);
    // A content reaches four pixels into the padding of its place, which has none here.
    const edge = container.getBoundingClientRect().right + 4;
    const parts = [...container.querySelectorAll('.katex-base .mord')];
    expect(parts.length).toBeGreaterThan(50);
    for (const part of parts) expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(edge);
  });

  test('what fits says nothing', async () => {
    const container = await shown('| a | b |\n|---|---|\n| 1 | 2 |');
    expect(container.textContent).not.toContain('Scrolls');
    expect(container.querySelector('section')?.hasAttribute('tabindex')).toBe(false);
  });
});

describe('links', () => {
  test('open a new tab that cannot reach back', async () => {
    const container = await shown('[a](https://example.org/x)');
    const link = container.querySelector('a');
    expect(link?.getAttribute('target')).toBe('_blank');
    expect(link?.rel).toBe('noreferrer');
  });

  test('during an attempt are text and address', async () => {
    const text = '[a](https://example.org/x) <https://example.org/y>';
    const container = await shown(text, { links: 'shown' });
    expect(container.querySelector('a')).toBeNull();
    expect(container.textContent).toBe('a (https://example.org/x) https://example.org/y');
  });
});

describe('mathematics', () => {
  test('is MathML for screen readers and hidden from them as drawn', async () => {
    const container = await shown('Let $x^2$ be\n\n$$\\frac{a}{b}$$');
    expect(container.querySelectorAll('math')).toHaveLength(2);
    expect(container.querySelector('math msup')).not.toBeNull();
    expect(container.querySelectorAll('.katex-html[aria-hidden=true]')).toHaveLength(2);
    expect(container.querySelector('.katex-display mfrac')).not.toBeNull();
  });

  test('breaks across lines only where no line has room for it', async () => {
    const container = await shown('A tree with n vertices has $n - 1$ edges, a forest $n - k$.');
    const formulas = [...container.querySelectorAll('.katex-html')];
    expect(formulas).toHaveLength(2);
    for (let width = 80; width <= 420; width += 4) {
      container.style.width = `${width}px`;
      for (const formula of formulas) {
        const lines = [...formula.querySelectorAll('.katex-base')].map((base) =>
          Math.round(base.getBoundingClientRect().bottom),
        );
        expect(lines).toHaveLength(2);
        expect.soft(Math.abs((lines[0] ?? 0) - (lines[1] ?? 0)), `${width} px`).toBeLessThan(4);
      }
    }
    const long = await shown(`$${'a + '.repeat(30)}b$`);
    long.style.width = '200px';
    const right = long.getBoundingClientRect().right;
    for (const base of long.querySelectorAll('.katex-base .mord')) {
      expect(base.getBoundingClientRect().right).toBeLessThanOrEqual(right);
    }
  });

  test('loads all of its fonts, not only those of the formulas that are shown', async () => {
    const families = ['Main', 'Math', 'AMS', 'Size1', 'Size4', 'Script', 'Typewriter'];
    // Again, because the browser forgets those that are not in use when a style sheet is added.
    const missing = async () => {
      await loadFonts();
      return families.filter((name) => !document.fonts.check(`16px KaTeX_${name}`));
    };
    await expect.poll(missing).toEqual([]);
  });

  test.each(['\\frac{a', '\\nosuchcommand', '{'.repeat(1_900), 'x'.repeat(2_001)])(
    'a formula that cannot be read is shown as its source: %j',
    async (tex) => {
      const container = await shown(`a $${tex}$ b`);
      expect(container.querySelector('code')?.textContent).toBe(tex);
      expect(container.textContent).toContain('This formula cannot be displayed.');
    },
  );

  test('a formula that would have 441,000 letters is its source, and none paints outside', async () => {
    const tex = `\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(490)}`;
    const container = await shown(`$${tex}$ $\\kern-9em x$`);
    expect(container.querySelector('code')?.textContent).toBe(tex);
    const box = container.firstElementChild;
    expect(box !== null && getComputedStyle(box).contain).toBe('paint');
  });

  test('runs no command that reaches outside', async () => {
    const text = '$\\href{javascript:alert(1)}{a} \\includegraphics{https://a.b/c.png}$';
    const container = await shown(text);
    expect(container.querySelector('a, img')).toBeNull();
  });

  test('sets no style attribute and writes no HTML, which the security policy forbids', async () => {
    const attributes = vi.spyOn(Element.prototype, 'setAttribute');
    const written = vi.spyOn(Element.prototype, 'innerHTML', 'set');
    const inserted = vi.spyOn(Element.prototype, 'insertAdjacentHTML');
    const formulas = [
      '\\sqrt[3]{\\frac{a}{b}}',
      '\\overbrace{x+y}^{n} \\xrightarrow{abc} \\widehat{xyz}',
      '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
      '\\colorbox{red}{x} \\textcolor{#00f}{y} \\boxed{z} \\cancel{w}',
      '\\vec{v} \\oiint \\fcolorbox{red}{yellow}{x} \\pmb{x}',
      '\\left( \\rule{1pt}{8em} \\right) \\sqrt{\\rule{1pt}{8em}} \\phase{-78} \\angl{n}',
      '\\left\\{ \\begin{array}{c|c} 1 & 2 \\\\ \\hline 3 & 4 \\end{array} \\right.',
    ];
    const container = await shown(formulas.map((tex) => `$$${tex}$$`).join('\n\n'));
    expect(container.querySelectorAll('.katex-display')).toHaveLength(formulas.length);
    expect(attributes.mock.calls.filter(([name]) => name === 'style')).toEqual([]);
    const widths = [...container.querySelectorAll('svg')].map(({ style }) => style.width);
    expect(widths).toContain('0.471em');
    expect(written.mock.calls.filter(([html]) => /style/.test(html))).toEqual([]);
    expect(inserted).not.toHaveBeenCalled();
  });
});

describe('images', () => {
  test('are as wide as they are given, but never wider than the text', async () => {
    const widthOf = async (alt: string, width: string, expected: number) => {
      await show(
        <ImageSource value={() => picture()}>
          <div style={{ width: '500px', fontSize: '20px' }}>
            <Content text={`${alt} ![${alt}](image:${HASH}${width})`} format="markdown" />
          </div>
        </ImageSource>,
      );
      const image = page.getByRole('button', { name: `${alt}. Enlarge image` });
      await expect
        .poll(() => Math.round(image.element().getBoundingClientRect().width))
        .toBe(expected);
    };
    await widthOf('own', '', 300);
    await widthOf('quarter', '#25', 220);
    await widthOf('half', '#50', 440);
    await widthOf('whole', '#100', 500);
  });

  test('have alternative text and caption, and open by keyboard', async () => {
    const container = await shown(`![A graph](image:${HASH} "Figure 1")`);
    expect(container.querySelector('figure img')?.getAttribute('alt')).toBe('A graph');
    expect(container.querySelector('figcaption')?.textContent).toBe('Figure 1');
    const button = page.getByRole('button', { name: 'A graph. Enlarge image' });
    button.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('dialog', { name: 'Figure 1' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(document.activeElement).toBe(button.element());
  });

  test.each([120, 300, 1_200])(
    'of %i px are never smaller when enlarged, on any screen',
    async (own) => {
      const src = picture(own);
      await preloadContent([{ text: `![A graph](image:${HASH})`, format: 'markdown' }], () => src);
      const { unmount } = await show(
        <ImageSource value={() => src}>
          <Content text={`![A graph](image:${HASH})`} format="markdown" />
        </ImageSource>,
      );
      const widths = (all: Iterable<Element>) =>
        [...all].map((image) => image.getBoundingClientRect().width);
      for (const screen of [390, 1_280]) {
        await page.viewport(screen, 844);
        const button = page.getByRole('button', { name: 'A graph. Enlarge image' });
        await expect.element(button).toBeVisible();
        const [before = Number.POSITIVE_INFINITY] = widths(
          button.element().querySelectorAll('img'),
        );
        await button.click();
        const dialog = page.getByRole('dialog');
        await expect.element(dialog.getByRole('img')).toBeVisible();
        const image = dialog.getByRole('img').element();
        await expect.poll(() => image.getBoundingClientRect().width).toBeGreaterThanOrEqual(before);
        // All of a large one can be reached on a phone, at the size that it has.
        if (screen === 390 && own > screen) {
          expect(image.getBoundingClientRect().width).toBe(own);
          expect(image.parentElement?.scrollWidth).toBe(own);
        }
        await userEvent.keyboard('{Escape}');
        await expect.element(dialog).not.toBeInTheDocument();
      }
      await unmount();
    },
  );

  test('shows its description until it is here, and can be loaded again', async () => {
    let src = 'data:image/png;base64,AAAA';
    await preloadContent([{ text: 'x', format: 'markdown' }]);
    await show(
      <ImageSource value={() => src}>
        <Content text={`![A graph](image:${HASH})`} format="markdown" />
      </ImageSource>,
    );
    const again = page.getByRole('button', { name: 'Load again' });
    await expect.element(again).toBeVisible();
    await expect.element(page.getByText(/^Image: A graph/)).toBeVisible();
    expect(page.getByRole('img').elements()).toEqual([]);
    src = picture();
    await again.click();
    await expect
      .element(page.getByRole('button', { name: 'A graph. Enlarge image' }))
      .toBeVisible();
    await expect.element(page.getByText(/^Image: A graph/)).not.toBeInTheDocument();
  });

  test('have their caption also beside text and inside a control', async () => {
    const text = `See ![A graph](image:${HASH} "Figure 2")`;
    expect((await shown(text)).textContent).toContain('Figure 2');
    expect((await shown(text, { inline: true })).textContent).toContain('Figure 2');
  });

  test('one inside a control loads again by itself, with its description until then', async () => {
    let src = 'data:image/png;base64,AAAA';
    await preloadContent([{ text: 'x', format: 'markdown' }]);
    await show(
      <ImageSource value={() => src}>
        <Content text={`![A graph](image:${HASH})`} format="markdown" inline />
      </ImageSource>,
    );
    await expect.element(page.getByText('A graph')).toBeVisible();
    src = picture();
    const image = page.getByRole('img', { name: 'A graph' });
    await expect.element(image).toBeVisible();
    await expect.poll(() => image.element()).toMatchObject({ naturalWidth: 300 });
  });

  test('one that cannot be loaded rejects the preload', async () => {
    const text = `![a](image:${'cd'.repeat(32)})`;
    await expect(
      preloadContent([{ text, format: 'markdown' }], () => 'data:image/png;base64,AAAA'),
    ).rejects.toThrow('1 parts');
  });

  test('plain texts load nothing', async () => {
    await expect(preloadContent([{ text: '![a](image:x) $x$' }])).resolves.toBeUndefined();
  });
});

test('the formula of an option is read as MathML, inside a control as its source', async () => {
  const content = <Content text="$x^2$" format="markdown" inline />;
  await preloadContent([{ text: '$x$', format: 'markdown' }]);
  const { container } = await show(
    <>
      <p>{content}</p>
      <button type="button">{content}</button>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: only the label matters */}
      <label>{content}</label>
    </>,
  );
  const hidden = [...container.querySelectorAll('math')].map(
    (math) => math.closest('[aria-hidden=true]') !== null,
  );
  expect(hidden).toEqual([false, true, true]);
  await expect.element(page.getByRole('button', { name: 'x^2', exact: true })).toBeVisible();
  expect(container.querySelector('p .sr-only')).toBeNull();
});

test('inside a button there is nothing to operate and no block', async () => {
  const text = `[a](https://a.b) ![c](image:${HASH})\n\n- x\n- $y$\n\n| a |\n|---|\n| b |\n\n> q\n\n\`\`\`\nz\n\`\`\``;
  const container = await shown(text, { inline: true });
  expect(container.querySelector('a, button, p, div, ul, table, blockquote, pre')).toBeNull();
  expect(container.querySelector('img')?.alt).toBe('c');
  expect(container.textContent).toContain('a (https://a.b)');
});
