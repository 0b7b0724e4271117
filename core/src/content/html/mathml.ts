import { type HtmlElement, type HtmlNode, textOf } from './parse-html.ts';
import { escapeTex, withoutDelimiters } from './tex.ts';

const FUNCTIONS = new Set(
  `arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup
  ln log max min Pr sec sin sinh sup tan tanh`.split(/\s+/),
);

const ACCENTS: Record<string, string> = {
  '^': 'hat',
  ˆ: 'hat',
  '~': 'tilde',
  '˜': 'tilde',
  '¯': 'overline',
  '‾': 'overline',
  _: 'overline',
  '→': 'overrightarrow',
  '⃗': 'vec',
  '˙': 'dot',
  '¨': 'ddot',
  '⏞': 'overbrace',
};

const VARIANTS: Record<string, string> = {
  bold: 'mathbf',
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
};

/**
 * A MathML formula as TeX: its TeX annotation or `alttext` where it has one, otherwise converted.
 * KaTeX reads Greek letters and operators as they are, so that only structure is converted.
 *
 * @param onUnknown is called with each element that cannot be converted; its content stays
 */
export function texFromMathml(math: HtmlElement, onUnknown: (name: string) => void): string {
  const annotation = findAnnotation(math);
  if (annotation !== null) return bareTex(annotation);
  const alternative = math.attributes.get('alttext')?.trim() ?? '';
  if (alternative !== '') return bareTex(alternative);
  return row(math.children, onUnknown).trim();
}

/** Removes delimiters, and Wikipedia's `{\displaystyle …}` around the whole formula. */
function bareTex(tex: string): string {
  const bare = withoutDelimiters(tex);
  return /^\{\\displaystyle\s([\s\S]*)\}$/.exec(bare)?.[1]?.trim() ?? bare;
}

function findAnnotation(element: HtmlElement): string | null {
  for (const child of elementsOf(element)) {
    if (child.name === 'annotation' && /tex/i.test(child.attributes.get('encoding') ?? '')) {
      const tex = textOf(child).trim();
      if (tex !== '') return tex;
    }
    const inside = findAnnotation(child);
    if (inside !== null) return inside;
  }
  return null;
}

const elementsOf = (element: HtmlElement) =>
  element.children.filter((child) => child.type === 'element');

type OnUnknown = (name: string) => void;

function row(nodes: readonly HtmlNode[], onUnknown: OnUnknown): string {
  return nodes
    .map((node) => (node.type === 'text' ? escapeTex(node.value.trim()) : convert(node, onUnknown)))
    .reduce(
      (line, part) =>
        /\\[a-z]+$/i.test(line) && /^[a-z]/i.test(part) ? `${line} ${part}` : line + part,
      '',
    );
}

function convert(element: HtmlElement, onUnknown: OnUnknown): string {
  const { name } = element;
  const text = textOf(element).trim();
  const all = () => row(element.children, onUnknown);
  const parts = () => elementsOf(element).map((child) => `{${convert(child, onUnknown)}}`);
  const [a = '{}', b = '{}', c = '{}'] = /^m(frac|root|su|under|over)/.test(name) ? parts() : [];
  switch (name) {
    case 'mi':
      return identifier(text, element.attributes.get('mathvariant') ?? '');
    case 'mn':
      return text.replace(/,/g, '{,}');
    case 'mo':
      return operator(text);
    case 'mtext':
    case 'ms':
      return text === '' ? '\\ ' : `\\text{${escapeTex(textOf(element))}}`;
    case 'mspace':
      return element.attributes.get('linebreak') === 'newline' ? '\\\\' : '\\ ';
    case 'mfrac':
      return /^0(\D|$)/.test(element.attributes.get('linethickness') ?? '')
        ? `{${a} \\atop ${b}}`
        : `\\frac${a}${b}`;
    case 'msqrt':
      return `\\sqrt{${all()}}`;
    case 'mroot':
      return `\\sqrt[${b}]${a}`;
    case 'msup':
      return `${a}^${b}`;
    case 'msub':
      return `${a}_${b}`;
    case 'msubsup':
    case 'munderover':
      return `${base(a)}_${b}^${c}`;
    case 'munder':
      return `${base(a)}_${b}`;
    case 'mover':
      return over(element, a, b);
    case 'mfenced':
      return fenced(element, onUnknown);
    case 'mtable':
      return `\\begin{matrix}${all().replace(/\\\\$/, '')}\\end{matrix}`;
    case 'mtr':
    case 'mlabeledtr':
      return `${elementsOf(element)
        .map((cell) => row(cell.children, onUnknown))
        .join('&')}\\\\`;
    case 'semantics':
      return row(element.children.slice(0, 2).filter(isNoAnnotation), onUnknown);
    case 'mphantom':
      return `\\phantom{${all()}}`;
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
    case 'mtd':
    case 'math':
      return all();
    case 'annotation':
    case 'annotation-xml':
    case 'none':
    case 'mprescripts':
      return '';
    default:
      onUnknown(name);
      return all();
  }
}

const isNoAnnotation = (node: HtmlNode) =>
  node.type === 'element' && !node.name.startsWith('annotation');

/** Large operators and limits stand without braces, or their limits go to the side. */
function base(group: string): string {
  const inside = group.slice(1, -1);
  return /^(?:[∑∏∫⋃⋂]|\\[a-z]+)$/i.test(inside) ? inside : group;
}

function identifier(text: string, variant: string): string {
  const command = VARIANTS[variant];
  if (command !== undefined) return `\\${command}{${escapeTex(text)}}`;
  if (FUNCTIONS.has(text)) return `\\${text}`;
  return [...text].length > 1 ? `\\mathrm{${escapeTex(text)}}` : escapeTex(text);
}

function operator(text: string): string {
  if (FUNCTIONS.has(text)) return `\\${text}`;
  // Invisible times, application and separators
  if (/^[\u2061-\u2064]$/.test(text)) return '';
  return text === '\\' ? '\\backslash' : text.replace(/[{}$&#%_]/g, '\\$&');
}

function over(element: HtmlElement, a: string, b: string): string {
  const accent = ACCENTS[textOf(elementsOf(element)[1] ?? element).trim()];
  return accent === undefined ? `\\overset${b}${a}` : `\\${accent}${a}`;
}

function fenced(element: HtmlElement, onUnknown: OnUnknown): string {
  const sign = (name: string, otherwise: string) =>
    (element.attributes.get(name) ?? otherwise).trim().replace(/[{}]/g, '\\$&') || '.';
  const separators = [...(element.attributes.get('separators') ?? ',').replace(/\s/g, '')];
  const inside = elementsOf(element)
    .map((child, i) => {
      const separator = separators[Math.min(i, separators.length) - 1] ?? separators.at(-1) ?? '';
      return (i === 0 ? '' : operator(separator)) + convert(child, onUnknown);
    })
    .join('');
  return `\\left${sign('open', '(')}${inside}\\right${sign('close', ')')}`;
}
