import { t } from '../../texts/i18n.ts';
import { atMostCharactersText, QUESTION_LIMITS } from '../limits.ts';

/** One option of a question version. The id stays while its text or its place stays (product 4.6). */
export interface QuestionOption {
  id: number;
  text: string;
}

/** A question's normalized fields: trimmed texts, no blank options. */
export interface QuestionDraft {
  question: string;
  options: string[];
  correctAnswer: string;
}

export interface QuestionProblem {
  path: 'question' | 'options' | 'correctAnswer';
  message: string;
}

/** Messages for a question entered by hand: those of the specification (5), and ours where it has none. */
export const QUESTION_MESSAGES = {
  noQuestion: () => t('definition.noQuestion', 'Please enter a question'),
  twoOptions: () => t('definition.twoOptions', 'Please provide at least two options'),
  twoValidOptions: () =>
    t(
      /* options that are not blank */ 'definition.twoValidOptions',
      'Please provide at least two valid options',
    ),
  noCorrectAnswer: () => t('definition.noCorrectAnswer', 'Please select the correct answer'),
  correctAnswerNotAnOption: () =>
    t('definition.keyNoOption', 'Selected correct answer must be one of the options'),
  equalOptions: () => t('definition.equalOptions', 'Two options are the same. Change one of them'),
  tooManyOptions: () => atMostOptionsText(QUESTION_LIMITS.optionsMax),
  tooLong: () => atMostCharactersText(QUESTION_LIMITS.textMaxCharacters),
};

export const atMostOptionsText = (max: number): string =>
  t(
    'definition.maxOptions',
    '{max, plural, one {A question has at most # option} other {A question has at most # options}}',
    { max },
  );

/**
 * The three encodings of `options` that the specification names (section 3): an array, a JSON array in a string,
 * or a comma-separated string with optional quotes. An array with anything but strings gives `null`.
 */
export function decodeOptions(input: unknown): string[] | null {
  if (Array.isArray(input)) return input.every((o) => typeof o === 'string') ? input : null;
  if (typeof input !== 'string') return null;
  const text = input.trim();
  if (text.startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (Array.isArray(parsed)) return decodeOptions(parsed);
    } catch {
      // Not JSON: "[a], [b]" is read as the comma-separated form below.
    }
  }
  return splitQuotedList(text);
}

/** `a, "b, c", 'd'` as three texts; a doubled quote inside quotes is one quote. */
function splitQuotedList(text: string): string[] {
  const out: string[] = [];
  let field = '';
  let quote = '';
  // Kept beside the field: trimming it at each quotation mark would take time that grows with its square.
  let isBlank = true;
  const add = (sign: string) => {
    field += sign;
    if (sign.trim() !== '') isBlank = false;
  };
  for (let i = 0; i < text.length; i += 1) {
    const sign = text.charAt(i);
    if (quote !== '') {
      if (sign !== quote) add(sign);
      else if (text.charAt(i + 1) === quote) {
        add(quote);
        i += 1;
      } else quote = '';
    } else if ((sign === '"' || sign === "'") && isBlank) {
      quote = sign;
      field = '';
    } else if (sign === ',') {
      out.push(field.trim());
      field = '';
      isBlank = true;
    } else add(sign);
  }
  out.push(field.trim());
  return out;
}

/**
 * Validates a question entered by hand or sent to the API: trims, drops blank options, and reports each
 * problem with its field. The correct answer must equal one of the trimmed options.
 */
export function validateQuestion(
  question: string,
  options: readonly string[],
  correctAnswer: string,
): { ok: true; draft: QuestionDraft } | { ok: false; problems: QuestionProblem[] } {
  const problems: QuestionProblem[] = [];
  const draft: QuestionDraft = {
    question: cleanText(question),
    options: options.map(cleanText).filter((o) => o !== ''),
    correctAnswer: cleanText(correctAnswer),
  };
  const tooLong = (text: string) => text.length > QUESTION_LIMITS.textMaxCharacters;

  if (draft.question === '')
    problems.push({ path: 'question', message: QUESTION_MESSAGES.noQuestion() });
  else if (tooLong(draft.question))
    problems.push({ path: 'question', message: QUESTION_MESSAGES.tooLong() });

  if (options.length < QUESTION_LIMITS.optionsMin) {
    problems.push({ path: 'options', message: QUESTION_MESSAGES.twoOptions() });
  } else if (draft.options.length < QUESTION_LIMITS.optionsMin) {
    problems.push({ path: 'options', message: QUESTION_MESSAGES.twoValidOptions() });
  } else if (draft.options.length > QUESTION_LIMITS.optionsMax) {
    problems.push({ path: 'options', message: QUESTION_MESSAGES.tooManyOptions() });
  } else if (new Set(draft.options).size < draft.options.length) {
    problems.push({ path: 'options', message: QUESTION_MESSAGES.equalOptions() });
  } else if (draft.options.some(tooLong)) {
    problems.push({ path: 'options', message: QUESTION_MESSAGES.tooLong() });
  }

  if (draft.correctAnswer === '') {
    problems.push({ path: 'correctAnswer', message: QUESTION_MESSAGES.noCorrectAnswer() });
  } else if (!draft.options.includes(draft.correctAnswer)) {
    problems.push({ path: 'correctAnswer', message: QUESTION_MESSAGES.correctAnswerNotAnOption() });
  }
  return problems.length === 0 ? { ok: true, draft } : { ok: false, problems };
}

/**
 * Trims, and replaces lone surrogates as the database does: options that differ only in them would be
 * equal there.
 */
export function cleanText(text: string): string {
  return text.trim().toWellFormed();
}

/**
 * Assigns ids to the options of a new question version. A text that the question has or had keeps its id;
 * an edited option keeps the id of its place, unless options were removed; every other one gets an id
 * never used in this question. Papers keep their version, so an answer is always shown with the text that
 * was selected; a rescoring goes by the ids and names every text that changed under one.
 *
 * @param earlier the options of the current version, then those of earlier ones, newest first
 * @param nextId one above the highest id ever used in this question; 1 for a new question
 */
export function assignOptionIds(
  texts: readonly string[],
  [current = [], ...before]: readonly (readonly QuestionOption[])[],
  nextId: number,
): { options: QuestionOption[]; nextId: number } {
  const ids: (number | undefined)[] = texts.map(() => undefined);
  const give = (place: number, id: number | undefined) => {
    if (ids[place] === undefined && id !== undefined && !ids.includes(id)) ids[place] = id;
  };
  const giveByText = (options: readonly QuestionOption[]) => {
    for (const [place, text] of texts.entries()) {
      give(place, options.find((option) => option.text === text)?.id);
    }
  };
  giveByText(current);
  // The option at the same place comes before texts of earlier versions: edited back to one it is still that
  // option.
  if (texts.length >= current.length) {
    for (const [place, { id }] of current.entries()) give(place, id);
  }
  for (const options of before) giveByText(options);
  let next = nextId;
  const options = texts.map((text, place) => ({ id: ids[place] ?? next++, text }));
  return { options, nextId: next };
}
