import type { Page } from '@playwright/test';

/** Texts that are cut off, stand out of their box or lie on one another, of what is in front. */
export const spilledTexts = (page: Page): Promise<string[]> => page.evaluate(find);

/** Runs in the page. */
function find(): string[] {
  interface Shown {
    text: string;
    of: Element;
    /** Lines of a text, without what boxes around it cut off. */
    lines: DOMRect[];
    /** Elements that stay in place while the page scrolls may lie on it. */
    pinned: Element | null;
  }
  const problems = new Set<string>();
  const front = [
    ...document.querySelectorAll(
      '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]',
    ),
  ].filter((one) => one.checkVisibility());
  const root = front.at(-1) ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const shown: Shown[] = [];
  while (walker.nextNode()) {
    const of = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent?.trim() ?? '';
    if (
      of === null ||
      text === '' ||
      of.closest('svg, math, option, select, [data-toaster], [inert]')
    )
      continue;
    if (!of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    let lines = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    let pinned: Element | null = null;
    let isCut = false;
    let isIn = true;
    for (
      let box: Element | null = of;
      box !== null && box !== document.body;
      box = box.parentElement
    ) {
      const style = getComputedStyle(box);
      if (style.display === 'contents') continue;
      const edge = box.getBoundingClientRect();
      if (pinned === null && /fixed|sticky/.test(style.position)) pinned = box;
      // Text for ears alone.
      if (edge.width <= 1 || edge.height <= 1 || style.clipPath !== 'none') lines = [];
      if (style.display === 'inline') continue;
      const isOut = lines.some((line) => line.left < edge.left - 1 || line.right > edge.right + 1);
      const isShort = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      const clips = style.overflowX !== 'visible';
      if (isOut && style.overflowX === 'hidden' && !isShort && !isCut) {
        isCut = true;
        problems.add(`“${text}” is cut off`);
      }
      const isBox =
        style.backgroundColor !== 'rgba(0, 0, 0, 0)' ||
        Number.parseFloat(style.borderInlineStartWidth) > 0;
      if (isIn && isOut && isBox && !clips) {
        isIn = false;
        problems.add(`“${text}” stands out of its box`);
      }
      if (clips || style.overflowY !== 'visible') {
        lines = lines
          .map((line) => {
            const left = Math.max(line.left, edge.left);
            const top = Math.max(line.top, edge.top);
            const right = Math.min(line.right, edge.right);
            const bottom = Math.min(line.bottom, edge.bottom);
            return new DOMRect(left, top, right - left, bottom - top);
          })
          .filter(({ width, height }) => width > 1 && height > 1);
      }
    }
    if (lines.length > 0) shown.push({ text, of, lines, pinned });
  }
  shown.forEach((one, index) => {
    for (const other of shown.slice(index + 1)) {
      // Numbers of things that happened in the same minute lie on one another in every language.
      if (one.pinned !== other.pinned || !/\p{L}/u.test(one.text + other.text)) continue;
      const lie = one.lines.some((a) =>
        other.lines.some(
          (b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
            // Letters have more height than they fill.
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) >
              Math.min(a.height, b.height) / 2,
        ),
      );
      if (lie) problems.add(`“${one.text}” lies on “${other.text}”`);
    }
  });
  return [...problems];
}
