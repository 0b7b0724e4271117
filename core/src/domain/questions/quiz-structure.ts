import type { Difficulty } from './question-definition.ts';

/** The conditions of a drawing rule: it draws questions of the bank that meet all of those given. */
export interface DrawFilter {
  /** Any of these tags; absent or empty: whatever the tags. */
  tags?: string[] | undefined;
  categoryId?: string | undefined;
  difficulties?: Difficulty[] | undefined;
}

/** One entry of a section: a question that every paper has, or a number drawn from the bank. */
export type SectionItem = { questionId: string } | { count: number; from: DrawFilter };

/**
 * A section wherever one is named: by its id, under a title that can change. Without an id, as former versions
 * stored it and programs may send it, its title is its id.
 */
export interface NamedSection {
  id?: string | undefined;
  title: string;
}

export const sectionIdOf = ({ id, title }: NamedSection): string => id ?? title;

export interface Section extends NamedSection {
  /** Whether its questions come in a random order on each paper. */
  isShuffled: boolean;
  items: SectionItem[];
}

/** The sections of the papers of an assessment, in this order. */
export interface QuizStructure {
  sections: Section[];
}

/** The structure with the id of each section. */
export const withSectionIds = ({ sections }: QuizStructure): QuizStructure => ({
  sections: sections.map((section) => ({ ...section, id: sectionIdOf(section) })),
});

/** How many questions a paper has. */
export function countOf({ sections }: QuizStructure): number {
  const counts = sections.flatMap(({ items }) =>
    items.map((item) => ('count' in item ? item.count : 1)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
