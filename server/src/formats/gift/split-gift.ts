/** A question of a GIFT file as its text, without comments. */
export interface GiftBlock {
  text: string;
  /** 1-based line of the file */
  line: number;
  tags: string[];
  identifier: string | undefined;
}

/** A blank line inside of braces is not in the rules, but occurs; more than so many are a missing brace. */
const MOST_PARTS = 20;

/**
 * Splits a GIFT file at its blank lines. Comments are left out; tags and identifiers in them belong to
 * the question that follows.
 */
export function splitGift(text: string): GiftBlock[] {
  const parts = splitAtBlankLines(text);
  const blocks: GiftBlock[] = [];
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    if (part === undefined) continue;
    let joined = part.text;
    let used = 1;
    while (isOpen(joined) && used < MOST_PARTS) {
      const next = parts[i + used];
      if (next === undefined || /^\s*(?:::|\$CATEGORY:)/.test(next.text)) break;
      joined += `\n\n${next.text}`;
      used += 1;
    }
    // A part without its end stays alone: the questions behind it are others.
    if (isOpen(joined)) blocks.push(part);
    else {
      blocks.push({ ...part, text: joined });
      i += used - 1;
    }
  }
  return blocks;
}

function splitAtBlankLines(text: string): GiftBlock[] {
  const blocks: GiftBlock[] = [];
  let lines: string[] = [];
  let start = 0;
  let comments: string[] = [];
  const end = () => {
    if (lines.length === 0) return;
    const comment = comments.join('\n');
    blocks.push({
      text: lines.join('\n'),
      line: start,
      tags: [...comment.matchAll(/\[tag:([^\]\n]{1,500})\]/g)].map(([, tag = '']) => tag.trim()),
      identifier: /\[id:([^\]\n]{1,500})\]/.exec(comment)?.[1]?.trim(),
    });
    lines = [];
    comments = [];
  };
  const all = text.split('\n');
  let codeEnd = 0;
  all.forEach((line, i) => {
    if (i >= codeEnd) codeEnd = endOfCode(all, i);
    if (i < codeEnd && lines.length > 0) lines.push(line);
    else if (/^\s*\/\//.test(line)) comments.push(line);
    else if (line.trim() === '') end();
    else {
      if (lines.length === 0) start = i + 1;
      lines.push(line);
      // A category needs no blank line behind it.
      if (/^\s*\$CATEGORY:/.test(line)) end();
    }
  });
  end();
  return blocks;
}

/**
 * A line that begins a block of Markdown's code: alone, or behind a title, a format or an answer's sign. Each
 * part has its own spaces: optional ones side by side would take a line of them apart in every way.
 */
const FENCE =
  /^\s*(?:::(?:[^:\\]|\\.|:(?!:))*::\s*)?(?:[=~#]+(?:%[-\d.,]+%)?\s*|%[-\d.,]+%\s*)?(?:\[\w+\]\s*)?(`{3,}|(?:\\~){3,})[^`]*$/;

/** Searched for the end of code; a file of beginnings alone would take long. */
const MOST_CODE_LINES = 500;

/**
 * The index behind the last line of the code, `<pre>` or a fence, that begins at a line: its blank lines and
 * comments are its own. That of the line itself where no code begins, or none ends before the next title.
 */
function endOfCode(lines: readonly string[], start: number): number {
  const line = lines[start] ?? '';
  const fence = FENCE.exec(line)?.[1];
  // Only behind the last end, which is searched once.
  const isPre = /<pre\b/i.test(line.slice(line.toLowerCase().lastIndexOf('</pre>') + 1));
  if (fence === undefined && !isPre) return start;
  for (let i = start + 1; i < Math.min(lines.length, start + MOST_CODE_LINES); i += 1) {
    const next = lines[i] ?? '';
    if (isPre ? /<\/pre>/i.test(next) : next.trimStart().startsWith(fence ?? '')) return i + 1;
    if (/^(?:::|\$CATEGORY:)/.test(next) && lines[i - 1]?.trim() === '') break;
  }
  return start;
}

function isOpen(text: string): boolean {
  const open = indexOfUnescaped(text, '{');
  return open >= 0 && indexOfUnescaped(text, '}', open) < 0;
}

/** The index of an unescaped sign; -1: there is none. */
export function indexOfUnescaped(text: string, sign: string, from = 0): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.startsWith(sign, at)) return at;
  }
  return -1;
}

/** More answers than any question has; files are made to take long, too. */
export const MOST_ANSWERS = 200;

/**
 * The parts between unescaped signs `=` and `~`, each with the sign before it ('' for the first). What is
 * behind the first MOST_ANSWERS and one more is not split.
 */
export function splitAnswers(text: string): { sign: '' | '=' | '~'; text: string }[] {
  const parts: { sign: '' | '=' | '~'; text: string }[] = [];
  let sign: '' | '=' | '~' = '';
  let start = 0;
  for (let at = 0; at <= text.length && parts.length <= MOST_ANSWERS + 1; at += 1) {
    const here = text.charAt(at);
    if (here === '\\') at += 1;
    else if (here === '=' || here === '~' || at === text.length) {
      parts.push({ sign, text: text.slice(start, at) });
      sign = here === '=' || here === '~' ? here : '';
      start = at + 1;
    }
  }
  return parts.filter((part) => part.sign !== '' || part.text.trim() !== '');
}

/** Text without escapes; `\n` is a line break. Other backslashes stay, for TeX. */
export function unescapeGift(text: string): string {
  return text.replace(/\\([~=#{}:\\n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
}

export function escapeGift(text: string): string {
  return text.replace(/[\\~=#{}:]/g, '\\$&').replace(/\n/g, '\\n');
}
