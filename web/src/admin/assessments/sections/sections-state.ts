import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { getStructure } from '@invigil/core/contract/assessments/structure';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { newId } from '../../../lib/new-id.ts';
import { type NegativeDraft, negativeDraftOf } from './negative-draft.ts';
import {
  draftOf,
  itemMoved,
  newSection,
  type Problems,
  type SectionDraft,
} from './sections-draft.ts';

/** What the sections editor shows before it is saved. */
export interface SectionsState {
  isOn: boolean;
  sections: SectionDraft[];
  negative: NegativeDraft;
  isDirty: boolean;
  /** What the server refused, until something changes. */
  refused: { sentence: string; problems: Problems } | null;
  /** The entry that was moved last: it keeps the focus, and its section is announced. */
  moved: { key: string; section: string } | null;
  /** Questions that were added here, by id. */
  picked: ReadonlyMap<string, BankQuestion>;
}

type SectionsEvent =
  | { type: 'changed'; isOn?: boolean; sections?: SectionDraft[]; negative?: NegativeDraft }
  | { type: 'moved'; from: number; to: number }
  | { type: 'added'; to: number; questions: readonly BankQuestion[] }
  | { type: 'refused'; sentence: string; problems: Problems }
  | { type: 'saved' };

export function sectionsStateOf(stored: ResponseOf<typeof getStructure>): SectionsState {
  const { structure, negativeMarks } = stored;
  return {
    isOn: structure !== null,
    sections: structure === null ? [newSection(1)] : draftOf(structure),
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
      return { ...state, isDirty: false, refused: null };
  }
}

/** The entry on a line of the page, from 1; heads of sections are lines too. */
function keyOnLine(sections: readonly SectionDraft[], line: number): string | undefined {
  const lines = sections.flatMap(({ items }) => [undefined, ...items.map(({ key }) => key)]);
  return lines[line - 1];
}
