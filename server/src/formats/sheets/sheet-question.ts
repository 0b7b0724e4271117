import { plainTextOf } from '@invigil/core/content/content-facts';
import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { optionLetter } from '@invigil/core/domain/locale';
import type { CsvRow } from '@invigil/core/domain/questions/question-csv';
import {
  QUESTION_TYPES,
  type QuestionDefinition,
  type QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import { QUESTION_MESSAGES } from '@invigil/core/domain/questions/question-options';
import { unguardCell } from '@invigil/core/domain/spreadsheet-guard';
import { t } from '@invigil/core/texts/i18n';
import { atLine, cut, type ImportedItem } from '../imported-file.ts';
import { type ItemHead, importedItem, NO_TEXT, notSupported } from '../text/imported-item.ts';
import { matchingTexts } from '../text/matching-texts.ts';
import { truthOf } from '../text/true-false.ts';
import { plainHead } from './column-words.ts';
import { type KeyOption, readKey } from './sheet-key.ts';

export interface SheetRow extends CsvRow {
  /** Cells that are more than their text in `fields`: with formatting, or with notes; by their column. */
  cells?: ReadonlyMap<number, ConvertedText>;
  /** Cells that are stored as numbers, whatever they show; by their column. None: a row of a text file. */
  numbers?: ReadonlyMap<number, number>;
}

/** The texts of a row; one that the row does not have is blank. */
export interface RowParts {
  line: number;
  question: ConvertedText;
  /** The options without blank ones at the end. */
  options: { text: ConvertedText; label: string }[];
  key: ConvertedText;
  /** The number that the key is stored as; none where it is a text. */
  keyNumber: number | undefined;
  /** The sheet has a column for the key. */
  hasKey: boolean;
  /** The row has at most four options: no header of its sheet names them. */
  isLimited: boolean;
  points: ConvertedText;
  explanation: ConvertedText;
  tags: string;
  category: string;
  type: string;
  number: string;
}

/** The text of a cell: trimmed, without our guard against formulas. */
export function cellText({ fields, cells }: SheetRow, column: number | undefined): ConvertedText {
  if (column === undefined) return NO_TEXT;
  const text = unguardCell((fields[column] ?? '').trim()).trim();
  const cell = cells?.get(column);
  return cell?.format === 'markdown' ? cell : { text, format: 'plain', notes: cell?.notes ?? [] };
}

/** How the keys of a sheet are read. */
export interface HowKeys {
  /** Numbers are places as the header says, or as all rows allow, or they are texts. */
  keys: 'places' | 'guessed places' | 'texts';
  /** A key may name several options. */
  several: boolean;
}

/** How its text is compared with a key. */
function plainOf({ text, format }: ConvertedText): string {
  return format === 'plain' ? text : plainTextOf(text);
}

/** The question of a row, or why it has none. */
export function questionOf(file: string, row: RowParts, how: HowKeys): ImportedItem {
  const { line, question, number } = row;
  const points = pointsOf(row.points.text);
  const head: ItemHead = {
    source: { file, line, ...(number === '' ? {} : { identifier: number }) },
    title: '',
    tags: row.tags
      .split(/[,;|\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    categoryPath: row.category === '' ? [] : [row.category],
    notes: [...row.key.notes, ...row.points.notes, ...points.notes],
  };
  const refuse = (sentence: string): ImportedItem => ({
    ...notSupported(head, atLine(line, sentence), plainOf(question)),
    attempt: attemptOf(row, points.points),
  });
  const read = answerOf(row, how);
  if ('problem' in read) return refuse(read.problem);
  const { options, notes, ...rest } = read;
  const item = importedItem(
    { ...head, notes: [...head.notes, ...notes] },
    { question, options: options.map(({ text }) => text), explanation: row.explanation },
    {
      rule: 'all_or_nothing',
      ...rest,
      points: points.points,
      options: options.map(({ text: _, ...option }) => option),
    },
  );
  return item.definition ? item : refuse(item.notes[0] ?? '');
}

/** The texts of a row as a question without a key. */
function attemptOf({ question, options }: RowParts, points: number): QuestionDefinition {
  const text = (of: ConvertedText) => cut(plainOf(of), QUESTION_LIMITS.textMaxCharacters);
  return {
    type: 'multiple_choice',
    format: 'plain',
    question: text(question),
    options: options
      .slice(0, QUESTION_LIMITS.richOptionsMax)
      .map((option) => ({ text: text(option.text), isCorrect: false })),
    points,
    rule: 'all_or_nothing',
  };
}

/** Points as a number with a point or comma for decimals. */
function pointsOf(text: string): { points: number; notes: string[] } {
  if (text === '') return { points: 1, notes: [] };
  const number = /^(\d+(?:[.,]\d+)?)\s*(?:\p{L}+\.?)?$/u.exec(text)?.[1]?.replace(',', '.');
  const points = Number(number);
  const { pointsMin, pointsMax } = QUESTION_LIMITS;
  const isValid =
    points >= pointsMin && points <= pointsMax && /^\d+(?:\.\d\d?)?$/.test(number ?? '');
  return isValid
    ? { points, notes: [] }
    : {
        points: 1,
        notes: [
          t(
            /* {min} and {max}: how many points a question has */ 'import.sheet.points',
            'Points are {min} to {max}, so “{text}” became 1 point.',
            { min: pointsMin, max: pointsMax, text: text.slice(0, 40) },
          ),
        ],
      };
}

type Answer = Pick<QuestionDefinition, 'type' | 'numeric' | 'shortText'> & {
  options: { text: ConvertedText; isCorrect: boolean; match?: number | null | undefined }[];
  notes: string[];
};

/** The type of a question, its options and its key. */
function answerOf(row: RowParts, how: HowKeys): Answer | { problem: string } {
  const type = row.type === '' ? null : typeOf(row.type);
  const key = plainOf(row.key);
  if (type === 'numeric' && row.options.length === 0) {
    const { value, notes } = numberOf(key, row.keyNumber);
    return { type, numeric: { accepted: key === '' ? [] : [{ value }] }, options: [], notes };
  }
  if (type === 'short_text' && row.options.length === 0) {
    const accepted = key.split(/[;|\n]/).filter((text) => text.trim() !== '');
    return {
      type,
      shortText: { accepted: accepted.map((text) => ({ text })) },
      options: [],
      notes: [],
    };
  }
  if (type === 'true_false' && row.options.length === 0) return trueOrFalse(row, key);
  if (type === 'matching' || type === 'ordering') return inRows(row, type);
  return selection(row, key, type, how);
}

/** Between an item and its answer, in a cell for an option. */
const ARROW = /\s*(?:-+>|=+>|\u2192|\u21d2)\s*/;

/** Pairs to match, each in a cell ("France -> Paris"; "-> Rome" is a further answer), or items in the right order. */
function inRows(row: RowParts, type: 'matching' | 'ordering'): Answer | { problem: string } {
  const texts = row.options.map(({ text }) => text);
  if (type === 'ordering') {
    const options = texts.map((text) => ({ text, isCorrect: false }));
    return { type, options, notes: [] };
  }
  const pairs: { item: ConvertedText; answer: ConvertedText }[] = [];
  for (const [i, cell] of texts.entries()) {
    const [item, answer, more] = cell.text.split(ARROW).map((text) => ({ ...cell, text }));
    if (!item || !answer?.text || more) {
      return {
        problem: t(
          /* the arrow stays as it is */ 'import.sheet.noPair',
          'Option {number} is no pair to match, such as “France -> Paris”',
          { number: i + 1 },
        ),
      };
    }
    pairs.push({ item, answer });
  }
  const { texts: written, options } = matchingTexts(
    pairs.filter(({ item }) => item.text !== ''),
    pairs.filter(({ item }) => item.text === '').map(({ answer }) => answer),
  );
  return {
    type,
    options: options.map((option, i) => ({ ...option, text: written[i] ?? NO_TEXT })),
    notes: [],
  };
}

/** A number with a decimal point. Of a cell with a number, its stored one says which sign that is. */
function numberOf(shown: string, stored: number | undefined): { value: string; notes: string[] } {
  const known = [shown.replaceAll(',', ''), shown.replaceAll('.', '').replace(',', '.')].find(
    (text) => stored !== undefined && Math.abs(Number(text) - stored) <= 0.5,
  );
  if (known !== undefined) return { value: known, notes: [] };
  const value = shown.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  const isUnclear = /^[+-]?\d{1,3},\d{3}$/.test(shown);
  return { value, notes: isUnclear ? [readAsText(shown, value)] : [] };
}

const readAsText = (shown: string, value: string): string =>
  t(/* a number */ 'import.sheet.readAs', 'The answer “{shown}” was read as {value}.', {
    shown,
    value,
  });

function selection(
  row: RowParts,
  key: string,
  type: QuestionType | null | undefined,
  how: HowKeys,
): Answer | { problem: string } {
  const { options } = row;
  if (type === undefined && options.length === 0) {
    return {
      problem: t(
        /* {type} as the file names it */ 'import.sheet.type',
        'Questions of the type “{type}” are not supported',
        { type: row.type.slice(0, 40) },
      ),
    };
  }
  if (row.question.text === '' || options.length < QUESTION_LIMITS.optionsMin) {
    return {
      problem: t(
        /* question: its text */ 'import.sheet.tooFewOptions',
        'Each question must have at least a question and 2 options',
      ),
    };
  }
  if (row.isLimited && options.length > QUESTION_LIMITS.optionsMax) {
    return { problem: QUESTION_MESSAGES.tooManyOptions() };
  }
  const blank = options.findIndex(({ text }) => text.text === '');
  if (blank >= 0) {
    const [reason] = options[blank]?.text.notes ?? [];
    const letter = optionLetter(blank);
    return {
      problem:
        reason ??
        t(/* {letter}: A, B */ 'import.sheet.blank', 'Option {letter} is blank', { letter }),
    };
  }
  const texts = options.map(({ text, label }): KeyOption => ({ text: plainOf(text), label }));
  if (new Set(texts.map(({ text }) => text)).size < texts.length) {
    return { problem: QUESTION_MESSAGES.equalOptions() };
  }
  const isPlace = how.keys !== 'texts';
  const isKeyed = row.hasKey && key !== '';
  const read = isKeyed
    ? readKey(key, texts, { isPlace, several: how.several })
    : { right: [], notes: [] };
  if ('problem' in read) return read;
  const isSeveral = read.right.length > 1 || type === 'multiple_response';
  const isTwo = type === 'true_false' && options.length === 2 && !isSeveral;
  return {
    type: isTwo ? 'true_false' : isSeveral ? 'multiple_response' : 'multiple_choice',
    options: options.map(({ text }, i) => ({ text, isCorrect: read.right.includes(i) })),
    notes: [
      ...read.notes,
      ...(isKeyed && how.keys === 'guessed places' ? [guessedText(key.slice(0, 40))] : []),
      ...keyNotes(row.hasKey, isKeyed),
      ...(type === undefined ? [unknownTypeText(row.type.slice(0, 40))] : []),
    ],
  };
}

const guessedText = (key: string): string =>
  t('import.sheet.guessed', 'The correct answer “{key}” was read as the place of an option.', {
    key,
  });

function keyNotes(hasColumn: boolean, isKeyed: boolean): string[] {
  if (isKeyed) return [];
  return [
    hasColumn
      ? t('import.sheet.noKey', 'The row has no correct answer.')
      : t('import.sheet.noKeyColumn', 'The sheet has no column for the correct answer.'),
  ];
}

const unknownTypeText = (type: string): string =>
  t(
    /* {type} as the file names it */ 'import.sheet.unknownType',
    'The type “{type}” is not known; the question was read by its options.',
    { type },
  );

function trueOrFalse(row: RowParts, key: string): Answer | { problem: string } {
  const isTrue = truthOf(key);
  if (row.hasKey && key !== '' && isTrue === null) {
    return {
      problem: t(
        /* True and False are words of the file */ 'import.sheet.notTruth',
        'Correct answer "{key}" must be True or False',
        { key },
      ),
    };
  }
  const options = ['True', 'False'].map((text, i) => ({
    text: { text, format: 'plain', notes: [] } as ConvertedText,
    isCorrect: row.hasKey && isTrue === (i === 0),
  }));
  return { type: 'true_false', options, notes: [] };
}

/** Types as people write them. A multiple choice with several right options is a multiple response. */
const NAMES: Record<QuestionType, string> = {
  multiple_choice: `multiple choice, mc, mcq, choice, single choice, sc, single, single answer,
     einfachauswahl, radio, choix unique, qcu, qcm, choix multiple, choix multiples, opción múltiple, selección única`,
  multiple_response: `multiple response, multiple answer, multiple answers, multiple correct,
     multi select, multiple select, mr, ma, checkbox, checkboxes, mehrfachauswahl, mehrfachantwort, multiple correct answers,
     réponses multiples, respuesta múltiple, selección múltiple`,
  true_false: `true false, true or false, tf, t f, boolean, richtig falsch, wahr falsch, ja nein,
     yes no, vrai faux, verdadero falso, vero falso`,
  numeric: 'numeric, numerical, number, numerisch, zahl, numérique, numérico',
  short_text: `short answer, short text, fill in, fill in the blank, kurzantwort, kurztext, réponse courte,
     respuesta corta, sa`,
  matching:
    'matching, match, matching pairs, zuordnung, zuordnen, appariement, association, emparejamiento',
  ordering: `ordering, order, sequence, sequencing, reihenfolge, sortieren, anordnen, ordonnancement, mise en ordre,
     ordenar, ordenamiento`,
};
const TYPE_OF = new Map(
  QUESTION_TYPES.flatMap((type) =>
    NAMES[type].split(',').map((word) => [plainHead(word), type] as const),
  ),
);

/** `undefined`: not known. */
function typeOf(text: string): QuestionType | undefined {
  return TYPE_OF.get(plainHead(text));
}
