import type { BlockContent, PhrasingContent } from 'mdast';
import { t } from '../../texts/i18n.ts';
import { nearestImageWidth, withImageWidth } from '../parse-content.ts';
import { texFromMathml } from './mathml.ts';
import { classesOf, type HtmlElement, type HtmlNode, styleOf, textOf } from './parse-html.ts';
import { trimmed, withoutMark } from './spacing.ts';
import { escapeTex, raisedOrLowered, splitFormulas, withoutDelimiters } from './tex.ts';

/** The context of a conversion. */
export interface Conversion {
  /** The address of an image in the Markdown text (`image:HASH`); `null` for one that is missing. */
  imageOf: (src: string) => string | null;
  notes: Set<string>;
  /** The notes that are about images which are not there; `notes` has them too. */
  imageNotes: Set<string>;
  /** Marks that are around the whole block; they say nothing twice. */
  marks: readonly Mark[];
  /** Whether underlined, colored and highlighted text becomes bold. */
  highlightsAreStrong: boolean;
}

export type Mark = 'strong' | 'emphasis';

/** A formula on a line of its own, until its paragraph is split around it. */
export interface DisplayFormula {
  type: 'displayFormula';
  value: string;
}

export type Inline = PhrasingContent | DisplayFormula;
export type Block = BlockContent;

/** Their tags go without a note: what they say is in their text, or is only its look. */
const SILENT = new Set(
  `a abbr acronym article aside bdi bdo big body center cite data details dfn div fieldset figure font
  footer form header html label legend main nav nobr p picture section small span summary tbody tfoot
  thead time tr td th var wbr li ul ol dl dt dd table h1 h2 h3 h4 h5 h6 blockquote mjx-container
  mjx-assistive-mml figcaption caption hgroup address rb ruby o:p st1:place noscript`.split(/\s+/),
);
/** They go with all that is inside. */
const LEFT_OUT = new Set(
  `script style title head meta link xml base colgroup col template comment rp source track param
  o:wrapblock w:sdtpr`.split(/\s+/),
);
const MEDIA = new Set(
  `audio video iframe object embed canvas svg input select textarea button applet map meter progress
  v:shape v:imagedata v:shapetype`.split(/\s+/),
);
const BREAKS_LINE = new Set('p div li tr h1 h2 h3 h4 h5 h6 dt dd pre blockquote'.split(' '));

/** Whether an element is not shown at all, or only repeats a formula for the eye. */
export function isLeftOut(element: HtmlElement): boolean {
  if (element.name === 'script' && isTexScript(element)) return false;
  const classes = classesOf(element);
  return (
    LEFT_OUT.has(element.name) ||
    classes.includes('katex-html') ||
    classes.includes('MathJax_Preview') ||
    classes.some((name) => name.startsWith('mwe-math-fallback-image')) ||
    styleOf(element).get('mso-list') === 'ignore'
  );
}

const isTexScript = ({ attributes }: HtmlElement) =>
  /^math\/tex/.test(attributes.get('type') ?? '');

/** The inline content of nodes; block elements inside become text with breaks between. */
export function inlinesOf(nodes: readonly HtmlNode[], conversion: Conversion): Inline[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return textParts(node.value);
    if (isLeftOut(node)) return [];
    const inside = element(node, conversion);
    return BREAKS_LINE.has(node.name) && inside.length > 0
      ? [{ type: 'break' as const }, ...inside, { type: 'break' as const }]
      : inside;
  });
}

function textParts(text: string): Inline[] {
  return splitFormulas(text).map((part): Inline => {
    if (typeof part === 'string') {
      return { type: 'text', value: part.replace(/[ \t\r\n\f]+/g, ' ') };
    }
    return formula(part.tex, part.isDisplay);
  });
}

function element(node: HtmlElement, conversion: Conversion): Inline[] {
  const { name, attributes } = node;
  const inside = () => inlinesOf(node.children, conversion);
  switch (name) {
    case 'br':
      return [{ type: 'break' }];
    case 'b':
    case 'strong':
    case 'em':
    case 'i':
    case 'span':
    case 'font':
      return styled(node, inside(), conversion);
    case 'u':
    case 'ins':
    case 'mark':
      if (conversion.highlightsAreStrong) return marked('strong', inside());
      break;
    case 'code':
    case 'tt':
    case 'kbd':
    case 'samp': {
      const value = textOf(node).replace(/\s+/g, ' ');
      return value.trim() === '' ? [] : [{ type: 'inlineCode', value }];
    }
    case 'sub':
    case 'sup':
      return raised(node, conversion);
    case 'q':
      return [{ type: 'text', value: '“' }, ...inside(), { type: 'text', value: '”' }];
    case 'rt':
      return [{ type: 'text', value: ' (' }, ...inside(), { type: 'text', value: ') ' }];
    case 'a': {
      // Links are colored and underlined everywhere.
      const ofLink = { ...conversion, highlightsAreStrong: false };
      return link(attributes.get('href') ?? '', inlinesOf(node.children, ofLink), conversion);
    }
    case 'img':
    case 'image':
      return image(node, conversion);
    case 'script':
      return [formula(textOf(node), /mode\s*=\s*display/.test(attributes.get('type') ?? ''))];
    case 'math':
      return [mathml(node, conversion)];
  }
  if (MEDIA.has(name)) {
    conversion.notes.add(
      t(
        /* {tag} is an HTML tag: <video> */ 'converted.media',
        '{tag} cannot be shown and was left out.',
        {
          tag: `<${name}>`,
        },
      ),
    );
    return [];
  }
  if (!SILENT.has(name)) {
    conversion.notes.add(
      t(
        /* {tag} is an HTML tag */ 'converted.tag',
        '{tag} was removed; the text inside it was kept.',
        {
          tag: `<${name}>`,
        },
      ),
    );
  }
  return inside();
}

function formula(source: string, isDisplay: boolean): Inline {
  const tex = withoutDelimiters(source);
  if (tex === '') return { type: 'text', value: '' };
  // A line of its own for each line: a comment ends with it.
  if (isDisplay) return { type: 'displayFormula', value: tex.replace(/(?<!\s)\s*\n\s*/g, '\n') };
  // KaTeX reads a formula in a text in both delimiters, Markdown ends the outer one at a dollar.
  const value = tex.replace(/\s+/g, ' ').replace(/(?<!\\)\$([^$]*)\$/g, '\\($1\\)');
  return { type: 'inlineMath', value: value.replace(/(?<!\\)\$/g, '\\$') };
}

function mathml(node: HtmlElement, { notes }: Conversion): Inline {
  const tex = texFromMathml(node, (name) =>
    notes.add(
      t(
        /* {tag} is a tag: <mi> */ 'converted.mathml',
        'A formula uses {tag} of MathML, which could not be converted. Check the formula.',
        { tag: `<${name}>` },
      ),
    ),
  );
  return formula(tex, node.attributes.get('display') === 'block');
}

/** Bold and italic by tag or by style, as word processors write it; Google Docs has `<b>` that is not. */
function marksOf(node: HtmlElement): Mark[] {
  const style = styleOf(node);
  const weight = style.get('font-weight') ?? '';
  const isTag = node.name === 'b' || node.name === 'strong';
  const isStrong = isTag ? !/^(?:normal|400)$/.test(weight) : /^(?:bold|[6-9]00)/.test(weight);
  const isEmphasis =
    ((node.name === 'i' || node.name === 'em') && style.get('font-style') !== 'normal') ||
    style.get('font-style') === 'italic';
  return [...(isStrong ? ['strong' as const] : []), ...(isEmphasis ? ['emphasis' as const] : [])];
}

/** The marks of an element, and bold where highlights are to be. */
export function marksIn(node: HtmlElement, { highlightsAreStrong }: Conversion): Mark[] {
  const marks = marksOf(node);
  const style = styleOf(node);
  const isHighlighted =
    isColored(colorOf(node)) ||
    /underline/.test(style.get('text-decoration') ?? '') ||
    isColored(style.get('background-color') ?? style.get('background') ?? '');
  return highlightsAreStrong && isHighlighted && !marks.includes('strong')
    ? ['strong', ...marks]
    : marks;
}

const colorOf = (node: HtmlElement) =>
  styleOf(node).get('color') ?? node.attributes.get('color') ?? '';

function styled(node: HtmlElement, inside: Inline[], conversion: Conversion): Inline[] {
  const marks = marksIn(node, conversion);
  if (isColored(colorOf(node)))
    conversion.notes.add(t('converted.colors', 'Text colors were removed.'));
  if (/underline|line-through/.test(styleOf(node).get('text-decoration') ?? '')) {
    conversion.notes.add(
      t('converted.lines', 'Underlined or struck-out text is shown without the line.'),
    );
  }
  const emphasized = marks.includes('emphasis') ? marked('emphasis', inside) : inside;
  return marks.includes('strong') ? marked('strong', emphasized) : emphasized;
}

/** A color other than the usual ones of text: black, greys, and what is inherited. */
function isColored(color: string): boolean {
  const value = color.trim().toLowerCase();
  if (
    /^(?:|black|transparent|none|inherit|initial|windowtext|currentcolor|(?:dark|dim)?gr[ae]y)$/.test(
      value,
    )
  )
    return false;
  const numbers = /^#/.test(value)
    ? (value.slice(1).match(value.length === 4 ? /./g : /../g) ?? []).map((digits) =>
        Number.parseInt(digits.length === 1 ? digits + digits : digits, 16),
      )
    : (/^rgba?\(([^)]*)/.exec(value)?.[1] ?? '').split(',').slice(0, 3).map(Number.parseFloat);
  // Web pages have text that is nearly grey. A color by name has no numbers.
  return !(Math.max(...numbers) - Math.min(...numbers) < 32);
}

function marked(type: Mark, inside: Inline[]): Inline[] {
  return around(inside, (children) => ({ type, children: withoutMark(children, type) }));
}

/** Spaces and breaks at the ends stay outside of marks and links, where Markdown needs them. */
function around(
  inside: Inline[],
  wrap: (children: PhrasingContent[]) => PhrasingContent,
): Inline[] {
  // A formula on its own line ends them.
  const middle = inside.filter((node) => node.type !== 'displayFormula');
  if (middle.length < inside.length) return inside;
  const children = trimmed(middle);
  if (children.length === 0) return inside;
  const space = { type: 'text' as const, value: ' ' };
  const [first, last] = [inside[0], inside.at(-1)];
  return [...endOf(first, /^\s/, space), wrap(children), ...endOf(last, /\s$/, space)];
}

/** A space or break at the start or end of a mark belongs outside of it. */
function endOf(node: Inline | undefined, blank: RegExp, space: PhrasingContent): Inline[] {
  if (node?.type === 'break') return [node];
  return node?.type === 'text' && blank.test(node.value) ? [space] : [];
}

function raised(node: HtmlElement, conversion: Conversion): Inline[] {
  const isRaised = node.name === 'sup';
  const text = textOf(node).replace(/\s+/g, ' ').trim();
  if (text === '') return [];
  const plain = raisedOrLowered(text, isRaised);
  if (plain !== null) return [{ type: 'text', value: plain }];
  if (node.children.some((child) => child.type === 'element' && child.name === 'img')) {
    return inlinesOf(node.children, conversion);
  }
  return [formula(`${isRaised ? '^' : '_'}{\\text{${escapeTex(text)}}}`, false)];
}

function link(href: string, inside: Inline[], { notes }: Conversion): Inline[] {
  const url = href.trim();
  if (url === '' || inside.length === 0) return inside;
  if (!/^(?:https?:|mailto:)/i.test(url)) {
    if (!url.startsWith('#'))
      notes.add(t('converted.link', 'A link to a file or page of the other system was removed.'));
    return inside;
  }
  if (inside.some(hasLink)) return inside;
  return around(inside, (children) => ({ type: 'link', url, children }));
}

function hasLink(node: Inline): boolean {
  return node.type === 'link' || ('children' in node && node.children.some(hasLink));
}

const imageWord = () =>
  t(/* the alternative text of an image without one */ 'converted.image', 'Image');

function image(node: HtmlElement, { imageOf, notes, imageNotes }: Conversion): Inline[] {
  const attribute = (name: string) => node.attributes.get(name)?.trim() ?? '';
  const classes = classesOf(node);
  const alt = attribute('alt');
  if (classes.includes('equation_image') || classes.includes('texrender')) {
    const tex =
      attribute('data-equation-content') || alt.replace(/^LaTeX:\s*/, '') || attribute('title');
    if (tex !== '') return [formula(tex, false)];
  }
  const src = attribute('src');
  const url = src === '' ? null : imageOf(src);
  if (url === null) {
    const name = nameOfImage(src);
    const note =
      name === ''
        ? t('converted.noImage', 'The image is not in the file and was left out.')
        : t(
            /* {name} is the name of the image’s own file */ 'converted.noImageNamed',
            'The image "{name}" is not in the file and was left out.',
            { name },
          );
    notes.add(note);
    imageNotes.add(note);
    return alt === '' ? [] : [{ type: 'text', value: alt.replace(/\s+/g, ' ') }];
  }
  const title = attribute('title');
  const name = nameOfImage(src).replace(/\.\w+$/, '');
  // A hash says nothing to people: our own exports name their files by it, and other systems do.
  const used = /^[\da-f-]{32,}$/i.test(name) ? '' : name.trim();
  if (alt === '') {
    notes.add(
      used === ''
        ? t(
            /* {word} is the word for an image */ 'converted.alternativeWord',
            'An image has no alternative text. Write one; until then it is “{word}”.',
            { word: imageWord() },
          )
        : t(
            'converted.alternativeName',
            'An image has no alternative text. Write one; until then its file name is used.',
          ),
    );
  }
  // Pixels say nothing of our lines.
  const percent = /^(\d{1,3})%$/.exec(attribute('width'))?.[1];
  return [
    {
      type: 'image',
      url: percent === undefined ? url : withImageWidth(url, nearestImageWidth(Number(percent))),
      alt: (alt || used || imageWord()).replace(/\s+/g, ' '),
      ...(title !== '' && title !== alt ? { title: title.replace(/\s+/g, ' ') } : {}),
    },
  ];
}

function nameOfImage(src: string): string {
  if (src.startsWith('data:')) return '';
  const name = /([^/?#]*)(?:[?#].*)?$/.exec(src)?.[1] ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
