/** A gap of Moodle's embedded answers (docs.moodle.org, "Embedded Answers (Cloze) question type"). */
export interface ClozeGap {
  kind: 'choice' | 'choices' | 'text' | 'number';
  /** Points */
  weight: number;
  isCaseSensitive: boolean;
  isShuffled: boolean;
  /** Texts in HTML; of a number, with its tolerance behind a colon. */
  answers: { text: string; fraction: number; feedback: string }[];
}

/** The text around its only gap, and the gap; `null` where there is none, or more than one. */
export interface Cloze {
  before: string;
  after: string;
  gap: ClozeGap;
}

const START =
  /\{(\d{0,3}):(MULTICHOICE|MULTIRESPONSE|SHORTANSWER|NUMERICAL|MC|MR|SA|MW|NM)_?([A-Z]{0,2}):/gi;

const KINDS: Record<string, ClozeGap['kind']> = {
  MULTICHOICE: 'choice',
  MC: 'choice',
  MULTIRESPONSE: 'choices',
  MR: 'choices',
  SHORTANSWER: 'text',
  SA: 'text',
  MW: 'text',
  NUMERICAL: 'number',
  NM: 'number',
};

/** Reads embedded answers with one gap, which a question of a single kind can hold. */
export function readCloze(html: string): Cloze | null {
  const [start, ...more] = html.matchAll(START);
  if (!start || more.length > 0) return null;
  const [head, weight = '', name = '', variant = ''] = start;
  const from = start.index + head.length;
  const end = indexOf(html, '}', from);
  const kind = KINDS[name.toUpperCase()];
  const answers = end < 0 ? null : answersIn(html.slice(from, end));
  if (!answers || !kind) return null;
  return {
    before: html.slice(0, start.index),
    after: html.slice(end + 1),
    gap: {
      kind,
      weight: Number(weight || 1),
      isCaseSensitive: kind === 'text' && /c/i.test(variant),
      isShuffled: /s/i.test(variant),
      answers,
    },
  };
}

/** More answers than any question accepts; files are made to take long, too. */
const MOST_ANSWERS = 100;

function answersIn(text: string): ClozeGap['answers'] | null {
  const parts: string[] = [];
  let rest = text;
  for (let at = indexOf(rest, '~', 0); at >= 0; at = indexOf(rest, '~', 0)) {
    if (parts.length >= MOST_ANSWERS) return null;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...parts, rest]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, right, percent] = /^(=)?(?:%(-?\d{1,3}(?:\.\d{1,7})?)%)?/.exec(part) ?? [];
      const answer = part.replace(/^=?(?:%-?\d{1,3}(?:\.\d{1,7})?%)?/, '');
      const at = indexOf(answer, '#', 0);
      return {
        text: withoutEscapes(at < 0 ? answer : answer.slice(0, at)).trim(),
        fraction: percent === undefined ? (right ? 100 : 0) : Number(percent),
        feedback: at < 0 ? '' : withoutEscapes(answer.slice(at + 1)).trim(),
      };
    });
}

/** The index of an unescaped sign; those of character references (`&#39;`) do not count. */
function indexOf(text: string, sign: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === sign && !(sign === '#' && text[at - 1] === '&')) return at;
  }
  return -1;
}

function withoutEscapes(text: string): string {
  return text.replace(/\\([}~#="/\\])/g, '$1');
}
