import { TEX_OPTIONS, texProblem } from '@invigil/core/content/tex-problem';
import katex, { type KatexOptions } from 'katex';
import 'katex/dist/katex.min.css';

/** The tree that `katex.render` makes before it makes DOM nodes; KaTeX exports it without a type. */
interface TreeNode {
  attributes?: Record<string, string>;
  children?: TreeNode[];
  toNode(): Node;
}

function hasTree(
  library: object,
): library is { __renderToDomTree(tex: string, options: KatexOptions): TreeNode } {
  return '__renderToDomTree' in library;
}

if (!hasTree(katex)) throw new Error('katex has changed: no __renderToDomTree');
const renderer = katex;

/**
 * The widths of arrows and tall brackets, and two commands, are `style` attributes, which the page's
 * security policy blocks. They are set one by one instead, which it allows.
 */
const SET_ASIDE = 'data-style';

function setAsideStyles({ attributes, children }: TreeNode): void {
  if (attributes?.style !== undefined) {
    attributes[SET_ASIDE] = attributes.style;
    delete attributes.style;
  }
  children?.forEach(setAsideStyles);
}

function applyStyles(element: HTMLElement): void {
  for (const styled of element.querySelectorAll<SVGElement | MathMLElement>(`[${SET_ASIDE}]`)) {
    styled.style.cssText = styled.getAttribute(SET_ASIDE) ?? '';
    styled.removeAttribute(SET_ASIDE);
  }
}

/**
 * Shows TeX in an element: MathML for screen readers, and beside it, hidden from them, what is seen.
 * Built from nodes: KaTeX's HTML strings would need `unsafe-inline`.
 * @returns whether it could be read
 */
export function showMathematics(tex: string, element: HTMLElement, isDisplay: boolean): boolean {
  if (texProblem(tex) !== null) return false;
  try {
    const tree = renderer.__renderToDomTree(tex, {
      ...TEX_OPTIONS,
      displayMode: isDisplay,
      output: 'htmlAndMathml',
    });
    setAsideStyles(tree);
    element.replaceChildren(tree.toNode());
    applyStyles(element);
    return true;
  } catch {
    // ParseError for TeX that it does not know; a RangeError for one that is nested too deeply.
    element.replaceChildren();
    return false;
  }
}

const STYLES_CHECKED_EVERY_MS = 20;
/** A slow device reads the style sheet late; without it, a font would be loaded when a formula needs it. */
const STYLES_WITHIN_MS = 10_000;

/**
 * Loads all fonts of KaTeX: which ones a formula needs is known only once it is drawn. The style sheet
 * that names them may be there before the browser has read it.
 */
export async function loadFonts(): Promise<void> {
  for (let waited = 0; waited < STYLES_WITHIN_MS; waited += STYLES_CHECKED_EVERY_MS) {
    const fonts = [...document.fonts].filter(({ family }) =>
      family.replace(/["']/g, '').startsWith('KaTeX_'),
    );
    if (fonts.length > 0) {
      // Formulas are shown in another font where fonts are blocked.
      await Promise.allSettled(fonts.map((font) => font.load()));
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, STYLES_CHECKED_EVERY_MS));
  }
}
