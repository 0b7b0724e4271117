import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, answerWasLost, hasCode, sentenceOf } from '../../../net/api.ts';
import { toast } from '../../../ui/toast.ts';
import { bankQuestionQuery, type SectionPlace, useSaveQuestion } from '../../data/questions.ts';
import { showFailure } from '../../data/show-failure.ts';
import { staleSentence } from '../../parts/stale-notice.tsx';
import { validateValues } from './parts/validate-values.ts';
import {
  changedLabels,
  definitionValues,
  NEW_QUESTION,
  type QuestionValues,
  same,
  valuesOf,
} from './state/question-values.ts';
import { useEditing } from './state/use-editing.ts';

/** The stored question, and the fields as they were then. */
interface Base {
  question: BankQuestion | null;
  values: QuestionValues;
}

export const baseOf = (question: BankQuestion): Base => ({ question, values: valuesOf(question) });

type Problems = ReadonlyMap<string, string>;
const NO_PROBLEMS: Problems = new Map();

function problemsOf(values: QuestionValues): Problems {
  const validated = validateValues(values);
  return validated.ok ? NO_PROBLEMS : validated.problems;
}

/**
 * The fields of a question, what is stored of it, and saving: refused input keeps its problems at its
 * fields until it is valid, and a version that someone else saved is shown before it is replaced.
 */
export function useSaving(
  stored: BankQuestion | null,
  {
    quizId,
    section,
    initial,
    onRefused,
  }: {
    quizId: string | null;
    /** The section to which the question is added. */
    section: SectionPlace | null;
    /** The fields of a new question. */
    initial: QuestionValues;
    /** The problems are at the fields. */
    onRefused(): void;
  },
) {
  const [base, setBase] = useState<Base>(() =>
    stored === null ? { question: null, values: initial } : baseOf(stored),
  );
  const editing = useEditing(base.values);
  const { values, change } = editing;
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [theirs, setTheirs] = useState<BankQuestion | null>(null);
  /** Fields that were not saved, and what the server said of them. */
  const [refused, setRefused] = useState<{ values: QuestionValues; issues: Problems } | null>(null);
  const client = useQueryClient();
  const saving = useSaveQuestion();

  const refuse = (issues: Problems) => {
    setRefused({ values, issues });
    onRefused();
  };
  /** Returns what is stored now; null: it was refused. */
  const save = async (over: Base = base, isLast = true): Promise<BankQuestion | null> => {
    if (saving.isPending) return null;
    const validated = validateValues(values);
    if (!validated.ok) {
      toast({
        title: t('editor.refused', 'Some fields need your attention'),
        variant: 'destructive',
      });
      refuse(validated.problems);
      return null;
    }
    const before = over.question;
    const { definition } = validated;
    const isSame = before !== null && same(definition, normalized(before.definition));
    // A new one may begin with labels of the one before.
    const labels = changedLabels(values, before === null ? NEW_QUESTION : over.values);
    try {
      const { saved, notJoined } = await saving.mutateAsync({
        base: before,
        quizId,
        section,
        definition: isSame ? null : definition,
        labels,
      });
      setBase({ question: saved, values });
      setSavedAt(new Date());
      setTheirs(null);
      setRefused(null);
      if (notJoined !== undefined) {
        showFailure(
          t('editor.notJoined', 'Question saved, but not added to the section'),
          notJoined,
        );
        return saved;
      }
      toast(
        saved.isDraft
          ? {
              title: t(
                /* a question without a correct answer */ 'editor.savedDraft',
                'Draft saved',
              ),
              description: t(
                /* said of a question */ 'editor.savedDraft.hint',
                'Without a correct answer no candidate gets it.',
              ),
            }
          : {
              title:
                before === null && isLast
                  ? t('editor.added', 'Question added')
                  : t('editor.savedQuestion', 'Question saved'),
            },
      );
      return saved;
    } catch (error) {
      await fail(error, before);
      return null;
    }
  };
  const fail = async (error: unknown, before: BankQuestion | null) => {
    const isStale = hasCode(error, 'STALE');
    showFailure(
      t('editor.failedSave', 'Failed to save question'),
      isStale
        ? staleSentence()
        : before === null && answerWasLost(error)
          ? t(
              'editor.lostAnswer',
              'The server did not respond. The question may have been added. Check the list before you save again.',
            )
          : sentenceOf(error),
    );
    if (error instanceof ApiError && error.issues.length > 0) {
      const field = (path: string) => path.replace(/^definition\./, '');
      refuse(new Map(error.issues.map(({ path, message }) => [field(path), message])));
    }
    if (!isStale || before === null) return;
    onRefused();
    const query = { ...bankQuestionQuery(before.id), staleTime: 0 };
    setTheirs(await client.fetchQuery(query).catch(() => null));
  };

  return {
    editing,
    base,
    isDirty: !same(values, base.values),
    isSaving: saving.isPending,
    savedAt,
    problems:
      refused === null
        ? NO_PROBLEMS
        : refused.values === values
          ? refused.issues
          : problemsOf(values),
    save,
    theirs,
    showTheirs: setTheirs,
    takeTheirs: (question: BankQuestion) => {
      const taken = baseOf(question);
      setBase(taken);
      change(taken.values);
      setTheirs(null);
    },
  };
}

/** A stored definition in the order of fields that validation gives. */
function normalized(definition: QuestionDefinition): QuestionDefinition {
  const values = { ...NEW_QUESTION, ...definitionValues(definition) };
  const validated = validateValues(values);
  return validated.ok ? validated.definition : definition;
}
