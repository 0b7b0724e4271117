import {
  addToBank,
  type BankQuestion,
  changeBankQuestion,
  changeBankQuestions,
  getBankQuestion,
  listBank,
} from '@invigil/core/contract/assessments/bank';
import { uploadImage } from '@invigil/core/contract/assessments/images';
import { listQuestions, type Question } from '@invigil/core/contract/assessments/question-list';
import {
  createQuestion,
  deleteQuestion,
  deleteQuestions,
  updateQuestion,
} from '@invigil/core/contract/assessments/questions';
import { getStructure, setStructure } from '@invigil/core/contract/assessments/structure';
import type { BodyOf } from '@invigil/core/contract/definition/endpoint';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { sectionIdOf } from '@invigil/core/domain/questions/quiz-structure';
import { t } from '@invigil/core/texts/i18n';
import { type MutationKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerWasLost, callEndpoint, isAbort, PageError } from '../../net/api.ts';
import { endpointKey, endpointQuery } from '../../net/endpoint-query.ts';

export const questionsKey = (quizId: string) =>
  endpointKey(listQuestions, { params: { id: quizId } });

export const questionsQuery = (quizId: string) => ({
  queryKey: questionsKey(quizId),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Question[]> => {
    const list = await callEndpoint(listQuestions, { params: { id: quizId }, signal });
    return list.flatMap((question) => ('correctAnswer' in question ? [question] : []));
  },
});

export function useQuestions(quizId: string) {
  return useQuery(questionsQuery(quizId));
}

export const bankQuestionQuery = (id: string) => endpointQuery(getBankQuestion, { params: { id } });

const NO_IDS: readonly string[] = [];

/**
 * Ids of an assessment's questions in the order of its page: those that its sections name, then the
 * others of its own. Empty without an assessment, and until it is loaded.
 */
export function useQuestionOrder(quizId: string | null): readonly string[] {
  const enabled = quizId !== null;
  const own = useQuery({ ...questionsQuery(quizId ?? '-'), enabled });
  const structure = useQuery({
    ...endpointQuery(getStructure, { params: { id: quizId ?? '-' } }),
    enabled,
    gcTime: 0,
  });
  if (own.data === undefined || structure.data === undefined) return NO_IDS;
  const named = (structure.data.structure?.sections ?? []).flatMap(({ items }) =>
    items.flatMap((item) => ('questionId' in item ? [item.questionId] : [])),
  );
  return [...new Set([...named, ...own.data.map(({ id }) => id)])];
}

/** Never from the cache: other administrators edit it. */
export function useBankQuestion(id: string | null) {
  return useQuery({ ...bankQuestionQuery(id ?? '-'), enabled: id !== null, gcTime: 0 });
}

/**
 * A write of questions. Everything that shows questions is read again before it is done, and also when
 * no answer came, to show what happened.
 */
export function useQuestionWrite<In, Out>(
  write: (input: In) => Promise<Out>,
  named: { mutationKey?: MutationKey } = {},
) {
  const client = useQueryClient();
  const readAgain = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: endpointKey(listBank) }),
      client.invalidateQueries({ queryKey: ['api', 'quizzes'] }),
      client.invalidateQueries({ queryKey: ['api', 'categories'] }),
    ]);
  return useMutation({
    ...named,
    mutationFn: write,
    onSuccess: readAgain,
    onError: async (error) => {
      if (answerWasLost(error) || isAbort(error)) await readAgain();
    },
  });
}

export function useCreateQuestion(quizId: string) {
  return useQuestionWrite((draft: QuestionDraft) =>
    callEndpoint(createQuestion, {
      params: { id: quizId },
      body: { quizId, type: 'multiple_choice', ...draft },
    }),
  );
}

/** Edits a question without its position: it may have moved since it was opened. */
export function useUpdateQuestion(quizId: string) {
  return useQuestionWrite(({ draft, base }: { draft: QuestionDraft; base: Question }) =>
    callEndpoint(updateQuestion, {
      params: { id: quizId, questionId: base.id },
      body: { quizId, type: 'multiple_choice', ...draft, version: base.version },
    }),
  );
}

/** Deletes questions of an assessment, or of the bank, all or none; the result puts them back. */
export function useDeleteQuestions(quizId: string | undefined) {
  const restore = useQuestionWrite((ids: readonly string[]) =>
    callEndpoint(changeBankQuestions, { body: { ids: [...ids], isDeleted: false } }),
  );
  return useQuestionWrite(async (ids: readonly string[]) => {
    const [questionId = ''] = ids;
    if (quizId === undefined) {
      await callEndpoint(changeBankQuestions, { body: { ids: [...ids], isDeleted: true } });
    } else if (ids.length === 1) {
      await callEndpoint(deleteQuestion, { params: { id: quizId, questionId } });
    } else {
      await callEndpoint(deleteQuestions, { params: { id: quizId }, body: { ids: [...ids] } });
    }
    return () => restore.mutateAsync(ids);
  });
}

type Labels = Pick<
  BodyOf<typeof changeBankQuestion>,
  'tags' | 'categoryId' | 'difficulty' | 'note'
>;

/** A section of an assessment. */
export interface SectionPlace {
  quizId: string;
  sectionId: string;
}

/** Every candidate gets the question in this section, unless a section names it already. */
async function joinSection({ quizId, sectionId }: SectionPlace, questionId: string): Promise<void> {
  const params = { id: quizId };
  const { structure, negativeMarks } = await callEndpoint(getStructure, { params });
  const items = structure?.sections.flatMap((one) => one.items) ?? [];
  if (items.some((item) => 'questionId' in item && item.questionId === questionId)) return;
  if (!structure?.sections.some((one) => sectionIdOf(one) === sectionId)) {
    throw new PageError(t('list.sectionGone', 'This section no longer exists'));
  }
  const sections = structure.sections.map((one) =>
    sectionIdOf(one) === sectionId ? { ...one, items: [...one.items, { questionId }] } : one,
  );
  const before = { structure, negativeMarks };
  await callEndpoint(setStructure, {
    params,
    body: { structure: { sections }, negativeMarks, before },
  });
}

/**
 * Adds a question, or changes `base`: its definition only where it differs. With a key it then joins the
 * section it was written for; if that fails, the question is saved all the same.
 */
export function useSaveQuestion() {
  return useQuestionWrite(
    async ({
      base,
      quizId,
      section,
      definition,
      labels,
    }: {
      base: BankQuestion | null;
      quizId: string | null;
      section: SectionPlace | null;
      definition: QuestionDefinition | null;
      labels: Labels;
    }): Promise<{ saved: BankQuestion; notJoined?: unknown }> => {
      const saved = await write(base, quizId, definition, labels);
      try {
        if (section !== null && !saved.isDraft) await joinSection(section, saved.id);
        return { saved };
      } catch (notJoined) {
        return { saved, notJoined };
      }
    },
  );
}

async function write(
  base: BankQuestion | null,
  quizId: string | null,
  definition: QuestionDefinition | null,
  labels: Labels,
): Promise<BankQuestion> {
  if (base !== null) {
    return callEndpoint(changeBankQuestion, {
      params: { id: base.id },
      body: {
        ...labels,
        ...labelsBefore(base, labels),
        version: base.version,
        ...(definition === null ? {} : { definition }),
      },
    });
  }
  if (definition === null) throw new TypeError('a new question has a definition');
  return callEndpoint(addToBank, { body: { definition, quizId, ...labels } });
}

function labelsBefore(base: BankQuestion, labels: Labels) {
  const { tags, categoryId, difficulty, note } = base;
  const before = Object.entries({ tags, categoryId, difficulty, note });
  const changed = before.filter(([name]) => name in labels);
  return changed.length === 0 ? {} : { labelsBefore: Object.fromEntries(changed) };
}

export async function storeImage(image: Blob): Promise<string> {
  const body = new Uint8Array(await image.arrayBuffer());
  return (await callEndpoint(uploadImage, { body })).hash;
}

/** The address of a question's editor that returns to its assessment; null: to the bank. */
export const editorOf = ({ id, quizId }: { id: string; quizId: string | null }) =>
  `/admin/questions/${id}${quizId === null ? '' : `?quiz=${quizId}`}`;
