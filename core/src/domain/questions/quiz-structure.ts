import type { Difficulty } from './question-definition.ts';

/** Which questions of the bank a rule draws from: those that meet every given condition. */
export interface DrawFilter {
  /** Any of these tags; absent or empty: whatever the tags. */
  tags?: string[] | undefined;
  categoryId?: string | undefined;
  difficulties?: Difficulty[] | undefined;
}

/** One entry of a section: a question that every paper has, or a number drawn from the bank. */
export type SectionItem = { questionId: string } | { count: number; from: DrawFilter };

export interface Section {
  title: string;
  /** Whether its questions come in a random order on each paper. */
  isShuffled: boolean;
  items: SectionItem[];
}

/** What the papers of an assessment consist of, in this order. */
export interface QuizStructure {
  sections: Section[];
}

/** How many questions a paper has. */
export function countOf({ sections }: QuizStructure): number {
  const counts = sections.flatMap(({ items }) =>
    items.map((item) => ('count' in item ? item.count : 1)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
