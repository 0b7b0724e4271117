import {
  addToBank,
  type BankQuestion,
  changeBankQuestion,
  getBankQuestion,
  listBank,
  listTags,
} from '@invigil/core/contract/assessments/bank';
import { uploadImage } from '@invigil/core/contract/assessments/images';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '../../../../net/api.ts';
import { endpointKey, endpointQuery } from '../../../../net/endpoint-query.ts';
import { QUIZZES } from '../../../assessments/api.ts';
import { questionsKey } from '../../questions-api.ts';
import type { changedLabels } from './question-values.ts';

export const bankQuestionQuery = (id: string) => endpointQuery(getBankQuestion, { params: { id } });

/** Never from the cache: other administrators edit it. */
export function useBankQuestion(id: string | null) {
  return useQuery({ ...bankQuestionQuery(id ?? '-'), enabled: id !== null, gcTime: 0 });
}

/** The labels that change, as they were read. */
function labelsBefore(base: BankQuestion, labels: ReturnType<typeof changedLabels>) {
  const { tags, categoryId, difficulty, note } = base;
  const before = Object.entries({ tags, categoryId, difficulty, note });
  const changed = before.filter(([name]) => name in labels);
  return changed.length === 0 ? {} : { labelsBefore: Object.fromEntries(changed) };
}

/** Adds a question, or changes `base`: its definition only where it differs. */
export function useSaveBankQuestion() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      base,
      quizId,
      definition,
      labels,
    }: {
      base: BankQuestion | null;
      /** Of a new question. */
      quizId: string | null;
      definition: QuestionDefinition | null;
      labels: ReturnType<typeof changedLabels>;
    }): Promise<BankQuestion> => {
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
    },
    onSuccess: async ({ id, quizId }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: bankQuestionQuery(id).queryKey }),
        client.invalidateQueries({ queryKey: endpointKey(listTags) }),
        client.invalidateQueries({ queryKey: [...endpointKey(listBank), 'page'] }),
        ...(quizId === null
          ? []
          : [
              client.invalidateQueries({ queryKey: questionsKey(quizId) }),
              client.invalidateQueries({ queryKey: QUIZZES.queryKey, exact: true }),
            ]),
      ]);
    },
  });
}

/** Stores an image and returns its hash. */
export async function storeImage(image: Blob): Promise<string> {
  const body = new Uint8Array(await image.arrayBuffer());
  return (await callEndpoint(uploadImage, { body })).hash;
}
