import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, answerWasLost, sentenceOf } from '../../../net/api.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { STALE_SENTENCE } from '../../assessments/form/stale-quiz-notice.tsx';
import { bankQuestionQuery, useSaveQuestion } from '../questions-api.ts';
import { normalized, validateValues } from './editor-problems.ts';
import {
  changedLabels,
  NEW_QUESTION,
  type QuestionValues,
  same,
  valuesOf,
} from './state/question-values.ts';
import { useEditing } from './state/use-editing.ts';

/** What is stored, and the fields as they were then. */
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
  quizId: string | null,
  {
    onSaved,
    onRefused,
  }: {
    onSaved(saved: BankQuestion, before: BankQuestion | null): void;
    /** The problems are at the fields. */
    onRefused(): void;
  },
) {
  const [base, setBase] = useState<Base>(() =>
    stored === null ? { question: null, values: NEW_QUESTION } : baseOf(stored),
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
  const save = async (over: Base = base) => {
    if (saving.isPending) return;
    const validated = validateValues(values);
    if (!validated.ok) {
      toast({ title: 'Some fields need your attention', variant: 'destructive' });
      return refuse(validated.problems);
    }
    const before = over.question;
    const { definition } = validated;
    const isSame = before !== null && same(definition, normalized(before.definition));
    const labels = changedLabels(values, over.values);
    try {
      const saved = await saving.mutateAsync({
        base: before,
        quizId,
        definition: isSame ? null : definition,
        labels,
      });
      setBase({ question: saved, values });
      setSavedAt(new Date());
      setTheirs(null);
      setRefused(null);
      toast(
        saved.isDraft
          ? { title: 'Draft saved', description: 'Without a correct answer no candidate gets it.' }
          : { title: before === null ? 'Question added' : 'Question saved' },
      );
      onSaved(saved, before);
    } catch (error) {
      await fail(error, before);
    }
  };
  const fail = async (error: unknown, before: BankQuestion | null) => {
    const isStale = error instanceof ApiError && error.code === 'STALE';
    toast({
      title: 'Failed to save question',
      description: isStale
        ? STALE_SENTENCE
        : before === null && answerWasLost(error)
          ? 'The server did not respond. The question may have been added. Check the list before you save again.'
          : sentenceOf(error),
      variant: 'destructive',
    });
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
    /** After a refused save they follow what is typed. */
    problems:
      refused === null
        ? NO_PROBLEMS
        : refused.values === values
          ? refused.issues
          : problemsOf(values),
    save,
    /** Someone else's version, which a save would replace. */
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
