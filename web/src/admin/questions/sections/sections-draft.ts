import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { NegativeMarks } from '@invigil/core/contract/assessments/negative-marks';
import type { getStructure } from '@invigil/core/contract/assessments/structure';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { figureText } from '@invigil/core/domain/locale';
import type { Difficulty } from '@invigil/core/domain/questions/question-definition';
import {
  type QuizStructure,
  type SectionItem,
  sectionIdOf,
} from '@invigil/core/domain/questions/quiz-structure';
import type { NegativeMarks as Marks } from '@invigil/core/domain/questions/scoring';
import { t } from '@invigil/core/texts/i18n';
import { newId } from '../../../lib/new-id.ts';

export interface NegativeDraft {
  isOn: boolean;
  percent: string;
  floor: Marks['floor'];
}

function negativeDraftOf(marks: Marks | null): NegativeDraft {
  return {
    isOn: marks !== null,
    percent: String(marks?.percent ?? 25),
    floor: marks?.floor ?? 'total',
  };
}

export function negativeOf({
  isOn,
  percent,
  floor,
}: NegativeDraft): { marks: Marks | null } | { problem: string } {
  if (!isOn) return { marks: null };
  const typed = percent.trim().replace(',', '.');
  const marks = NegativeMarks.safeParse({ percent: typed === '' ? null : Number(typed), floor });
  return marks.success
    ? { marks: marks.data }
    : {
        problem: marks.error.issues[0]?.message ?? t('field.percentage', 'Enter a percentage'),
      };
}

const EXAMPLE_POINTS = 4;

export function exampleOf({ percent, floor }: Marks): string {
  const lost = Math.round(EXAMPLE_POINTS * percent * 100) / 10_000;
  const values = { of: EXAMPLE_POINTS, count: lost, lost: figureText(lost) };
  return floor === 'total'
    ? t(
        /* of: points of a question, lost: points taken off, count: the same as a number */ 'sections.example.total',
        '{count, plural, one {Example: a wrong answer to a question of {of} points takes {lost} point off the total.} other {Example: a wrong answer to a question of {of} points takes {lost} points off the total.}}',
        values,
      )
    : t(
        /* of: points of a question, lost: points taken off, count: the same as a number */ 'sections.example.question',
        '{count, plural, one {Example: each wrong selection in a question of {of} points takes {lost} point off what the question earned.} other {Example: each wrong selection in a question of {of} points takes {lost} points off what the question earned.}}',
        values,
      );
}

export interface RuleDraft {
  key: string;
  count: string;
  tags: string[];
  categoryId: string | null;
  difficulties: Difficulty[];
}

export type ItemDraft = { key: string; questionId: string } | RuleDraft;

export interface SectionDraft {
  id: string;
  title: string;
  isShuffled: boolean;
  items: ItemDraft[];
}

/** A sentence at each path of the server's, such as `structure.sections.0.items.2`. */
export type Problems = ReadonlyMap<string, string>;

export const newRule = (): RuleDraft => ({
  key: newId(),
  count: '5',
  tags: [],
  categoryId: null,
  difficulties: [],
});

/** A section after others, under the first "Section n" from its place on that none of them has. */
export function newSection(others: readonly SectionDraft[]): SectionDraft {
  const titled = (number: number) =>
    t(
      /* the title of a new section, which its author may change */ 'sections.newTitle',
      'Section {number}',
      { number },
    );
  let number = others.length + 1;
  while (hasTitle(others, titled(number))) number += 1;
  return { id: newId(), title: titled(number), isShuffled: true, items: [] };
}

const hasTitle = (sections: readonly SectionDraft[], wanted: string): boolean =>
  sections.some(({ title }) => title.trim() === wanted);

/** Ids of the questions that the sections name. */
export function idsIn(sections: readonly SectionDraft[]): Set<string> {
  const items = sections.flatMap((section) => section.items);
  return new Set(items.flatMap((item) => ('questionId' in item ? item.questionId : [])));
}

/** Sections that are switched on: without entries, the first one gets the assessment's own questions. */
export function startedWith(
  sections: readonly SectionDraft[],
  own: readonly { id: string }[],
): SectionDraft[] {
  const isEmpty = sections.every(({ items }) => items.length === 0);
  if (!isEmpty || own.length > QUIZ_LIMITS.totalQuestionsMax) return [...sections];
  const items = own.map(({ id }) => ({ key: newId(), questionId: id }));
  return sections.map((section, s) => (s === 0 ? { ...section, items } : section));
}

export function draftOf({ sections }: QuizStructure): SectionDraft[] {
  const ids = sections.map(sectionIdOf);
  return sections.map(({ isShuffled, items, ...named }, s) => {
    const id = sectionIdOf(named);
    return {
      // Former versions could store one title, and so one id, twice.
      id: ids.indexOf(id) === s ? id : newId(),
      title: named.title,
      isShuffled,
      items: items.map(draftOfItem),
    };
  });
}

const draftOfItem = (item: SectionItem): ItemDraft =>
  'questionId' in item
    ? { key: newId(), questionId: item.questionId }
    : {
        key: newId(),
        count: String(item.count),
        tags: item.from.tags ?? [],
        categoryId: item.from.categoryId ?? null,
        difficulties: item.from.difficulties ?? [],
      };

export function structureOf(sections: readonly SectionDraft[]): QuizStructure {
  return {
    sections: sections.map(({ id, title, isShuffled, items }) => ({
      id,
      title: title.trim(),
      isShuffled,
      items: items.map(itemOf),
    })),
  };
}

function itemOf(item: ItemDraft): SectionItem {
  if ('questionId' in item) return { questionId: item.questionId };
  const { count, tags, categoryId, difficulties } = item;
  const from = {
    ...(tags.length === 0 ? {} : { tags }),
    ...(categoryId === null ? {} : { categoryId }),
    ...(difficulties.length === 0 ? {} : { difficulties }),
  };
  return { count: countOfRule(count) ?? 0, from };
}

function countOfRule(typed: string): number | null {
  const count = Number(typed.trim());
  return /^\d+$/.test(typed.trim()) && count >= 1 && count <= QUIZ_LIMITS.totalQuestionsMax
    ? count
    : null;
}

/** How many questions a paper has; rules without a valid number count as none. */
export function totalOf(sections: readonly SectionDraft[]): number {
  const items = sections.flatMap((section) => section.items);
  return items.reduce(
    (sum, item) => sum + ('questionId' in item ? 1 : (countOfRule(item.count) ?? 0)),
    0,
  );
}

export function typedProblems(sections: readonly SectionDraft[]): Problems {
  const problems = new Map<string, string>();
  sections.forEach(({ title, items }, s) => {
    const path = `structure.sections.${s}`;
    if (title.trim() === '') problems.set(`${path}.title`, t('field.title', 'Enter a title'));
    else if (hasTitle(sections.slice(0, s), title.trim())) {
      problems.set(`${path}.title`, t('sections.sameTitle', 'Another section has this title'));
    }
    items.forEach((item, i) => {
      if ('questionId' in item || countOfRule(item.count) !== null) return;
      const most = QUIZ_LIMITS.totalQuestionsMax;
      problems.set(
        `${path}.items.${i}`,
        t(
          /* how many questions a rule draws */ 'sections.enterCount',
          'Enter how many to draw: 1 to {most}',
          { most },
        ),
      );
    });
  });
  if (sections.length === 0)
    problems.set(
      'structure.sections',
      t(/* a problem: there is none */ 'sections.addOne', 'Add a section'),
    );
  return problems;
}

export function problemsAt(issues: readonly { path: string; message: string }[]): Problems {
  const problems = new Map<string, string>();
  for (const { path, message } of issues) if (!problems.has(path)) problems.set(path, message);
  return problems;
}

/** A section's head or an item, in the order of the page. */
type Line = { section: Omit<SectionDraft, 'items'> } | { item: ItemDraft };

/**
 * Moves the item on a line to another line. Heads of sections are lines too, so that an item can leave
 * its section, and enter an empty one.
 */
export function itemMoved(
  sections: readonly SectionDraft[],
  from: number,
  to: number,
): SectionDraft[] {
  const lines: Line[] = sections.flatMap(({ items, ...section }): Line[] => [
    { section },
    ...items.map((item) => ({ item })),
  ]);
  const [moved] = lines.splice(from, 1);
  if (moved === undefined) return [...sections];
  // There is no section above the first head.
  lines.splice(Math.max(1, to), 0, moved);
  const next: SectionDraft[] = [];
  for (const line of lines) {
    if ('section' in line) next.push({ ...line.section, items: [] });
    else next.at(-1)?.items.push(line.item);
  }
  return next;
}

/** Puts what is missing back to its place of `before`: sections, and entries into the section they were in. */
export function restored(
  sections: readonly SectionDraft[],
  before: readonly SectionDraft[],
): SectionDraft[] {
  const next = [...sections];
  before.forEach((section, s) => {
    if (!next.some(({ id }) => id === section.id)) next.splice(s, 0, { ...section, items: [] });
  });
  const present = new Set(sections.flatMap(({ items }) => items.map(({ key }) => key)));
  return next.map((section) => {
    const items = [...section.items];
    const former = before.find(({ id }) => id === section.id)?.items ?? [];
    former.forEach((item, i) => {
      if (!present.has(item.key)) items.splice(i, 0, item);
    });
    return { ...section, items };
  });
}

type Settings = Pick<ResponseOf<typeof getStructure>, 'structure' | 'negativeMarks'>;

export interface SectionsState {
  /** The settings that were read or saved last. */
  stored: Settings;
  isOn: boolean;
  sections: SectionDraft[];
  negative: NegativeDraft;
  isDirty: boolean;
  /** The server's refusal, until something changes. */
  refused: { sentence: string; problems: Problems } | null;
  /** The entry that was moved last: it keeps the focus, and its section is announced. */
  moved: { key: string; section: string } | null;
  picked: ReadonlyMap<string, BankQuestion>;
}

type SectionsEvent =
  | { type: 'changed'; isOn?: boolean; sections?: SectionDraft[]; negative?: NegativeDraft }
  | { type: 'moved'; from: number; to: number }
  | { type: 'restored'; before: SectionDraft[] }
  | { type: 'added'; to: number; questions: readonly BankQuestion[] }
  | { type: 'refused'; sentence: string; problems: Problems }
  | { type: 'saved'; stored: Settings };

export function sectionsStateOf({ structure, negativeMarks }: Settings): SectionsState {
  return {
    stored: { structure, negativeMarks },
    isOn: structure !== null,
    sections: structure === null ? [newSection([])] : draftOf(structure),
    negative: negativeDraftOf(negativeMarks),
    isDirty: false,
    refused: null,
    moved: null,
    picked: new Map(),
  };
}

export function sectionsReducer(state: SectionsState, event: SectionsEvent): SectionsState {
  const changed = { ...state, isDirty: true, refused: null };
  switch (event.type) {
    case 'changed': {
      const { type: _, ...change } = event;
      return { ...changed, ...change };
    }
    case 'moved': {
      const key = keyOnLine(state.sections, event.from);
      const sections = itemMoved(state.sections, event.from - 1, event.to - 1);
      const section = sections.find(({ items }) => items.some((item) => item.key === key));
      const moved =
        section === undefined || key === undefined ? null : { key, section: section.title };
      return { ...changed, sections, moved };
    }
    case 'restored':
      return { ...changed, sections: restored(state.sections, event.before) };
    case 'added': {
      const { to, questions } = event;
      const added = questions.map(({ id }) => ({ key: newId(), questionId: id }));
      return {
        ...changed,
        picked: new Map([...state.picked, ...questions.map((q) => [q.id, q] as const)]),
        sections: state.sections.map((section, s) =>
          s === to ? { ...section, items: [...section.items, ...added] } : section,
        ),
      };
    }
    case 'refused':
      return { ...state, refused: { sentence: event.sentence, problems: event.problems } };
    case 'saved':
      return { ...state, stored: event.stored, isDirty: false, refused: null };
  }
}

/** The entry on a line of the page, from 1; heads of sections are lines too. */
function keyOnLine(sections: readonly SectionDraft[], line: number): string | undefined {
  const lines = sections.flatMap(({ items }) => [undefined, ...items.map(({ key }) => key)]);
  return lines[line - 1];
}
