import { t } from '../../texts/i18n.ts';
import {
  type DrawableQuestion,
  orderOptions,
  type PaperPosition,
  seededRandom,
  shuffle,
} from './draw.ts';
import type { Difficulty } from './question-definition.ts';
import {
  type DrawFilter,
  type NamedSection,
  type QuizStructure,
  sectionIdOf,
} from './quiz-structure.ts';

/** A question of the bank, with what rules ask for. */
export interface PoolQuestion extends DrawableQuestion {
  tags: readonly string[];
  categoryId: string | null;
  difficulty: Difficulty | null;
  /** Not for rules: it has only the fixed places that name it. */
  isArchived: boolean;
  /** The same for questions with the same content and key. Absent: no other of the pool has it. */
  content?: string | undefined;
}

/** A place of a section: the question itself, or the rule (by its number) that fills it. */
type Slot = { question: PoolQuestion } | { rule: number };

/** A structure with the questions that qualify for each rule; prepared once for many papers. */
export interface DrawPlan {
  sections: { id: string; title: string; isShuffled: boolean; slots: Slot[] }[];
  rules: { section: number; item: number; count: number; qualified: PoolQuestion[] }[];
}

/** Why a structure cannot be drawn: at `sections.0.items.2`. */
export interface StructureProblem {
  path: string;
  message: string;
}

export function qualifies(question: PoolQuestion, filter: DrawFilter): boolean {
  const { tags = [], categoryId, difficulties = [] } = filter;
  return (
    !question.isArchived &&
    (tags.length === 0 || tags.some((tag) => question.tags.includes(tag))) &&
    (categoryId === undefined || question.categoryId === categoryId) &&
    (difficulties.length === 0 ||
      (question.difficulty !== null && difficulties.includes(question.difficulty)))
  );
}

/** A paper has only one of the questions for which this is the same. */
export function contentOf({ content, questionId }: PoolQuestion): string {
  return content ?? questionId;
}

/**
 * Finds what qualifies. A question with a fixed place is not drawn a second time, nor is another one with
 * its content; of several with the same content, a rule counts and draws the first.
 */
export function planDraw(structure: QuizStructure, pool: readonly PoolQuestion[]): DrawPlan {
  const byId = new Map(pool.map((question) => [question.questionId, question]));
  const fixed = new Set(
    structure.sections.flatMap(({ items }) =>
      items.flatMap((item) => {
        const question = 'questionId' in item ? byId.get(item.questionId) : undefined;
        return question ? contentOf(question) : [];
      }),
    ),
  );
  const free = pool.filter((question) => !fixed.has(contentOf(question)));
  const rules: DrawPlan['rules'] = [];
  const sections = structure.sections.map(({ id, title, isShuffled, items }, section) => ({
    id: sectionIdOf({ id, title }),
    title,
    isShuffled,
    slots: items.flatMap((entry, item): Slot[] => {
      if ('questionId' in entry) {
        const question = byId.get(entry.questionId);
        return question ? [{ question }] : [];
      }
      const { count, from } = entry;
      const rule = rules.length;
      const qualified = withoutRepeats(free.filter((question) => qualifies(question, from)));
      rules.push({ section, item, count, qualified });
      return Array.from({ length: count }, () => ({ rule }));
    }),
  }));
  return { sections, rules };
}

function withoutRepeats(questions: PoolQuestion[]): PoolQuestion[] {
  const seen = new Set<string>();
  return questions.filter((question) => {
    const content = contentOf(question);
    return !seen.has(content) && seen.add(content);
  });
}

/**
 * Fills every rule's places with different questions, at random by the seed: no question twice, each
 * rule its full number wherever that is possible, however the rules overlap. Rules with few candidates
 * draw first; where one still runs short, questions change places along an augmenting path (bipartite
 * matching). A rule that cannot be met gets as many as there are.
 *
 * @returns questions by rule
 */
export function fillRules(
  { rules }: Pick<DrawPlan, 'rules'>,
  random: () => number,
): PoolQuestion[][] {
  const filled: PoolQuestion[][] = rules.map(() => []);
  const holder = new Map<string, number>();
  const spare = (rule: number) => (rules[rule]?.qualified.length ?? 0) - (rules[rule]?.count ?? 0);
  const order = rules.map((_, i) => i).sort((a, b) => spare(a) - spare(b) || a - b);
  const give = (rule: number, question: PoolQuestion) => {
    filled[rule]?.push(question);
    holder.set(contentOf(question), rule);
  };

  /** Rules that hold all of one another's candidates: no chain through them ends at a free one. */
  const stuck = new Set<number>();
  /**
   * One more question for `first`: the shortest chain of rules, each of which gives a question to the
   * one before, up to one that has a free candidate. A loop, as a chain can be as long as there are
   * rules, and visits each rule once.
   */
  const augment = (first: number): boolean => {
    /** A question that a rule would give up, and the rule that gets it. */
    const giving = new Map<number, { question: PoolQuestion; to: number }>();
    const queue = [first];
    for (const rule of queue) {
      for (const question of rules[rule]?.qualified ?? []) {
        const other = holder.get(contentOf(question));
        if (other === undefined) {
          give(rule, question);
          for (let at = rule, step = giving.get(at); step; at = step.to, step = giving.get(at)) {
            const { to, question: given } = step;
            const held = filled[at];
            // This rule has drawn one of several questions with this content.
            held?.splice(
              held.findIndex((q) => contentOf(q) === contentOf(given)),
              1,
            );
            give(to, given);
          }
          return true;
        }
        if (other === first || giving.has(other) || stuck.has(other)) continue;
        giving.set(other, { question, to: rule });
        queue.push(other);
      }
    }
    for (const rule of queue) stuck.add(rule);
    return false;
  };

  for (const rule of order) {
    const { count, qualified } = rules[rule] ?? { count: 0, qualified: [] };
    for (const question of pickFree(qualified, count, holder, random)) give(rule, question);
    while ((filled[rule]?.length ?? 0) < count && augment(rule));
  }
  return filled;
}

/** Up to `count` questions that no rule holds. From a large pool by trial, as most are free. */
function pickFree(
  from: readonly PoolQuestion[],
  count: number,
  taken: ReadonlyMap<string, number>,
  random: () => number,
): PoolQuestion[] {
  if (from.length < count * 4 + taken.size) {
    return shuffle(
      from.filter((question) => !taken.has(contentOf(question))),
      random,
    ).slice(0, count);
  }
  const picked = new Set<PoolQuestion>();
  while (picked.size < count) {
    const question = from[Math.floor(random() * from.length)];
    if (question && !taken.has(contentOf(question))) picked.add(question);
  }
  return [...picked];
}

/** A section of a paper, by the position of its first question; those without questions are left out. */
export interface PaperSection extends NamedSection {
  first: number;
}

/** Draws a paper by a plan: the same seed gives the same paper. */
export function drawByPlan(
  plan: DrawPlan,
  seed: string,
): { paper: PaperPosition[]; sections: PaperSection[] } {
  const random = seededRandom(seed);
  const filled = fillRules(plan, random).map((questions) => shuffle(questions, random));
  const paper: PaperPosition[] = [];
  const sections: PaperSection[] = [];
  for (const { id, title, isShuffled, slots } of plan.sections) {
    const questions = slots.flatMap((slot) =>
      'question' in slot ? slot.question : (filled[slot.rule]?.pop() ?? []),
    );
    if (questions.length > 0) sections.push({ id, title, first: paper.length + 1 });
    for (const question of isShuffled ? shuffle(questions, random) : questions) {
      paper.push({
        position: paper.length + 1,
        questionId: question.questionId,
        version: question.version,
        optionOrder: orderOptions(question, random),
      });
    }
  }
  return { paper, sections };
}

/** Rules that cannot all be met at once, with how many each could get. */
export function unmetRules(plan: DrawPlan): StructureProblem[] {
  const filled = fillRules(plan, seededRandom('feasible'));
  return plan.rules.flatMap(({ section, item, count, qualified }, i) => {
    const got = filled[i]?.length ?? 0;
    if (got === count) return [];
    const path = `sections.${section}.items.${item}`;
    const message =
      qualified.length < count
        ? t(
            /* a rule draws questions at random: too few match it */ 'structure.fewQualify',
            '{count, plural, other {Only {qualified} of # questions qualify}}',
            { qualified: qualified.length, count },
          )
        : t(
            /* rules that draw questions at random */ 'structure.fewLeft',
            'Other rules draw from the same questions: only {got} of {count} are left for this one',
            { got, count },
          );
    return [{ path, message }];
  });
}
