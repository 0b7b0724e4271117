import { AppError } from './app-error.ts';

/** `\\u0000` in JSON that is not itself escaped. */
const NUL_ESCAPE = /(?<!\\)(?:\\\\)*\\u0000/;

/** An escaped surrogate: either one alone, or a pair. */
const HALF_ESCAPE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;
const WHOLE_ESCAPE = /(?<!\\)((?:\\\\)*)\\ud[89ab]..\\ud[c-f]../gi;

/**
 * Every JSON that comes in passes here, before it is parsed: PostgreSQL stores no NUL, and refuses a lone
 * surrogate in a document and alters it in a column. Searched in the text, because walking a parsed body
 * could be made to recurse too deep. Throws INVALID_INPUT.
 */
export function requireStorable(json: string): void {
  if (!json.includes('\\u')) return;
  if (NUL_ESCAPE.test(json)) throw nulRefusal();
  if (HALF_ESCAPE.test(json) && HALF_ESCAPE.test(json.replace(WHOLE_ESCAPE, '$1'))) {
    throw new AppError('INVALID_INPUT', {
      message: 'Texts must not contain incomplete characters',
    });
  }
}

export function nulRefusal(): AppError {
  return new AppError('INVALID_INPUT', { message: 'Texts must not contain NUL characters' });
}
