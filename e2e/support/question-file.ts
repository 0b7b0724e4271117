import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One question of the file with its key. */
export interface KeyedQuestion {
  question: string;
  options: string[];
  correctAnswer: string;
}

export const QUESTION_FILE = fileURLToPath(
  new URL('../fixtures/general-knowledge.csv', import.meta.url),
);

/**
 * The key of the question file, read without the product's own reader, so that a mistake there is
 * detected. Supports only what the file contains.
 */
export function readKey(): KeyedQuestion[] {
  const [, ...rows] = parseCsv(readFileSync(QUESTION_FILE, 'utf8'));
  return rows.map((row) => {
    const cells = row.map((cell) => cell.replace(/^'(?=[=+\-@'])/, ''));
    const [question = '', ...rest] = cells;
    const key = rest.pop() ?? '';
    const named = /^[a-d]$/i.test(key) ? rest['abcd'.indexOf(key.toLowerCase())] : undefined;
    const correctAnswer = named ?? rest.find((o) => o.toLowerCase() === key.toLowerCase());
    if (correctAnswer === undefined) throw new Error(`no key: ${question}`);
    return { question, options: rest, correctAnswer };
  });
}

/** RFC 4180: quoted fields, doubled quotes, line breaks inside quotes. Blank lines are left out. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const fields = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const body = text.replace(/^\uFEFF/, '');
  while (fields.lastIndex < body.length) {
    const at = fields.lastIndex;
    const [, quoted, plain, end] = fields.exec(body) ?? [];
    if (end === undefined) throw new Error(`not CSV at character ${at}`);
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
